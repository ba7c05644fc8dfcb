// -----------------------------------------------------------------------------
// File: measure.h
// -----------------------------------------------------------------------------
//
// The loop that takes samples of a work in one mode, and checks whether they can be believed.
//
// In this order: warm-up; what the mode reads around an empty function; samples until the rule says
// stop; the validity checks. A chunk (throughput, hot, graph) is as many calls as chunk.h says; it
// is sized by chunks that are thrown away, so that no sample depends on the sizing. Between the
// first sample and the last nothing is allocated.
//
// Not for correctness of results, nor for phases: pass forward and backward as works of their own.
//
//   absl::StatusOr<SampleSet> set = Measure(device, Mode::kWall, work, {});
//   absl::StatusOr<statistics::Summary> summary = statistics::Summarize(set->samples_ns);

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_MEASURE_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_MEASURE_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "benchmarks/harness/sampling/chunk.h"
#include "benchmarks/harness/sampling/device/device.h"
#include "benchmarks/harness/sampling/modes.h"
#include "benchmarks/harness/sampling/stop_rule.h"
#include "benchmarks/harness/sampling/timed_work.h"
#include "benchmarks/harness/sampling/validity.h"
#include "benchmarks/harness/sampling/warmup.h"

namespace assay::sampling {

struct SamplingOptions {
  PrecisionRule::Options precision = {};
  StopRule* rule = nullptr;  // null: a PrecisionRule with `precision`

  int64_t max_samples = 100'000;  // memory for all of them is taken before the first

  ChunkOptions chunk = {};  // throughput, hot, graph

  // Whether each timed call uses the next of the work's input sets. Switching sets before a sample
  // is not timed; switching between the calls of a chunk (throughput, hot) is.
  bool rotate_inputs = false;

  // The warm-up; absent: none. Each mode warms up anew, so only the first Measure() of a process
  // sees the true first call.
  std::optional<WarmupOptions> warmup = WarmupOptions{};

  // False: no checks, and no time beside the samples. The checks take at most a twelfth of the
  // budget.
  bool checks = true;
  // Whether the checks, too, are kept within a tenth of the budget. A call that is so long that the
  // fewest samples exceed it has time for them until the rule's most_budgets, in any case.
  bool strict_budget = false;
  HardwareLimits hardware_limits = {};
  int cpus = 1;     // CPUs that this process may use
  int threads = 0;  // threads that a call may compute with; 0: unknown

  // Read after every sample and every step of the warm-up; once true, Measure() returns what it
  // has.
  const std::atomic<bool>* interrupted = nullptr;
};

// The result of Measure(). Times are for one call.
struct SampleSet {
  Mode mode = Mode::kWall;
  std::vector<double> samples_ns = {};   // in the order taken; none if interrupted in the warm-up
  std::vector<uint32_t> clock_mhz = {};  // one for each sample, or none
  int64_t calls_per_sample = 1;
  StopReason stop_reason = StopReason::kBudget;
  double cpu_ns = 0;  // CPU time of the process, all threads; flushes are not in it
  // Instructions in user space, all threads: those of the calls, and of the loop that takes samples.
  // Absent if they are not counted; then the text says why.
  std::optional<double> instructions = std::nullopt;
  std::string instructions_missing = {};
  int64_t elapsed_ns = 0;  // of the whole loop, flushes and waits included
  double enqueue_ns = 0;   // mean host time until a call returned; 0 for a device without a queue
  std::optional<int64_t> null_ns = std::nullopt;  // what the mode reads for an empty function
  int64_t bytes_touched = 0;                      // graph: by a replay; rotating: by all sets
  int64_t peak_device_bytes = 0;
  int64_t peak_host_bytes = 0;
  int64_t leaked_bytes = 0;
  std::optional<WarmupReport> warmup = std::nullopt;
  std::vector<Check> checks = {};
};

// Takes samples of `work` until the rule says stop. InvalidArgument for options that make no sense,
// FailedPrecondition for a mode that the device does not have and for a graph that cannot be
// recorded, DataLoss for an impossible clock reading, else the device's error.
absl::StatusOr<SampleSet> Measure(Device& device, Mode mode, TimedWork& work,
                                  const SamplingOptions& options);

// For a plain function.
absl::StatusOr<SampleSet> Measure(Device& device, Mode mode, absl::FunctionRef<void()> call,
                                  const SamplingOptions& options);

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_MEASURE_H_
