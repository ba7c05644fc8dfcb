#ifndef ASSAY_BENCHMARKS_OPERATORS_KERNEL_FASTER_H_
#define ASSAY_BENCHMARKS_OPERATORS_KERNEL_FASTER_H_

// ---------------------------------------------------------------------------------------------
// faster.h: is a kernel faster than ATen's? Takes samples of both in turns, in one process; several
// processes together make a verdict (tools/compare/decision).
//
// Turns go A B B A and B A A B, alternately. A sample is one call, or as many as last 20 us, each with inputs
// of its own; how many, chance says. Before each sample the inputs change places, and some rows and an element of each
// get other values: a result that is remembered by address or by value is wrong. After samples that are chosen by chance,
// and after the last one, results are held against the truth before anything else runs: work that is not yet done, or was
// left out, shows. Inputs must be as they were.
//
//   hot    inputs, as far as they fit, lie in the cache
//   cold   the caches are overwritten before each turn of four; each call has inputs of its own
//
// Every sample is read by two clocks: the system's, and the processor's counter, which no library can
// replace. They were compared before the library was loaded. Where a call has one thread, CPU time shows others.
//
// CPU only: a GPU's queue wants sampling/measure.h.
//
// Example:
//   SecondClock second;                       // before the library is loaded
//   absl::StatusOr<PairTimes> times = TimePair(device, second, candidate, call, Heat::kHot, options);
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "benchmarks/harness/dispatcher/boxed_operator.h"
#include "benchmarks/harness/sampling/device/device.h"
#include "benchmarks/operators/kernel/sized_call.h"
#include "benchmarks/operators/kernel/trial.h"

namespace assay::kernel {

enum class Heat { kHot, kCold };

// The processor's counter of time.
class SecondClock {
 public:
  // Takes 20 ms, in which it learns the counter's rate by the system's clock.
  SecondClock();
  static uint64_t Count();
  // 0 on a processor whose counter is not known.
  double NsPerCount() const { return ns_per_count_; }

 private:
  double ns_per_count_ = 0;
};

struct PairOptions {
  Sizes sizes = {};
  Dtype dtype = Dtype::FP32;
  uint64_t seed = 0;
  int process = 0;  // which of several: who is first in a turn alternates over turns and processes
  absl::Duration budget = absl::Milliseconds(30);  // of samples of both sides
};

struct PairTimes {
  std::vector<double> candidate_ns = {}, aten_ns = {};  // of one call, in the order taken
  double log_ratio = 0;  // of ATen's time over the candidate's: the median over the turns
  int64_t candidate_bytes = 0, aten_bytes = 0;  // of LibTorch's memory that a call holds at most
  int64_t checked = 0;                          // timed calls whose results were compared
  // "result [3, 16] is ..., float64 gives ..." of a timed call; empty: none was wrong.
  std::string wrong = {};
  std::string flagged = {};  // the clocks disagree, or it has more threads than it was given
  double waited = 0;  // time that threads waited for a CPU, as a share of the time of all samples
};

// The inputs of one size, ready to be timed. Made before anything computes with several threads, since it
// starts a copy of this process (isolated_call.h).
class TimedPair {
 public:
  // Errors of AtSizes and BindLike; FailedPrecondition where the candidate's call does not come to its
  // end alone.
  static absl::StatusOr<TimedPair> Make(const Candidate& candidate, const PairOptions& options);

  absl::StatusOr<PairTimes> Time(sampling::Device& device, const SecondClock& second, Heat heat);

 private:
  // One call's inputs, for each side in memory of its own.
  struct Set {
    SizedCall call;  // the candidate's
    execution::BoundOperator candidate, aten;
    std::vector<at::Tensor> candidate_inputs, aten_inputs;
    std::vector<at::Tensor> values;  // what they held at first
    uint32_t number = 0;             // by which the candidate's inputs were filled
  };

  TimedPair(const Candidate& candidate, const PairOptions& options)
      : candidate_(candidate), options_(options) {}

  friend class PairSampling;

  Candidate candidate_;
  PairOptions options_;
  std::vector<Set> sets_;
};

}  // namespace assay::kernel

#endif  // ASSAY_BENCHMARKS_OPERATORS_KERNEL_FASTER_H_
