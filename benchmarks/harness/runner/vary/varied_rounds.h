#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_VARY_VARIED_ROUNDS_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_VARY_VARIED_ROUNDS_H_

// ---------------------------------------------------------------------------------------------
// varied_rounds.h: times calls whose size changes from call to call, and the same calls again with
// each size by itself.
//
// A round is one deck of the mix (mix.h): its calls as dealt, each timed by itself until its result is
// there; and as many calls of each size in a row, behind three that are not timed. The two halves change
// places from round to round, so that a drift of the machine falls on both. The ratio of their times
// is what variation itself costs: caches of plans, allocators, branches. Two rounds before are not
// kept. Setting inputs is not timed.
//
// Not for: verdicts (varied_case.h).
//
// Example:
//   absl::StatusOr<VariedTimes> times = MeasureVaried(device, mix, work, {.budget = budget});
//   const VariedRatio all = RatioOf(mix, *times);
// ---------------------------------------------------------------------------------------------

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "benchmarks/harness/runner/vary/mix.h"
#include "benchmarks/harness/sampling/device/device.h"
#include "benchmarks/harness/sampling/evidence.h"
#include "benchmarks/harness/sampling/validity.h"

namespace assay::runner {

class VariedWork {
 public:
  virtual ~VariedWork() = default;
  // Gives later calls other inputs of this size. `call` counts them.
  virtual void Use(size_t size, int64_t call) = 0;
  // Queues one call. Exceptions pass through.
  virtual void Call() = 0;
};

struct VariedTimes {
  std::vector<double> dealt_ns;                 // of each deck: the mean of its calls as dealt
  std::vector<std::vector<double>> between_ns;  // of each call as dealt, by size
  std::vector<std::vector<double>> alone_ns;    // by size, in a row
  int64_t decks = 0;
  sampling::Evidence evidence = {};  // of all rounds, without samples
};

struct VariedOptions {
  absl::Duration budget = absl::Seconds(1);  // of the calls as dealt
  const std::atomic<bool>* interrupted = nullptr;
  int cpus = 1;     // CPUs that this process may use
  int threads = 0;  // threads that a call may compute with; 0: unknown
};

// Takes six rounds or more, unless they take ten times the budget. A round in which that time ends, or
// that is interrupted, is not kept. Cancelled where it is interrupted before the first round is done;
// errors of the device.
absl::StatusOr<VariedTimes> MeasureVaried(sampling::Device& device, const Mix& mix,
                                          VariedWork& work, const VariedOptions& options);

// Time as dealt / time alone, of each round; its median, and the median's 95 % interval, 0 for too few
// rounds.
struct VariedRatio {
  double median = 0, low = 0, high = 0;
};

// The ratio of one size, or of all.
VariedRatio RatioOf(const Mix& mix, const VariedTimes& times,
                    std::optional<size_t> size = std::nullopt);

// The checks of samples that calls of several sizes can have: samples, cpu_contention,
// cpu_within_threads.
std::vector<sampling::Check> ChecksOf(const VariedTimes& times,
                                      const std::vector<double>& samples_ns);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_VARY_VARIED_ROUNDS_H_
