// -----------------------------------------------------------------------------
// File: modes.h
// -----------------------------------------------------------------------------
//
// The ways to time a function, and the loop that takes samples in one of them.
//
//   mode        one sample is                                      it answers
//   wall        host clock: one call until the device is done      the latency that a user sees
//   throughput  host clock: a chunk of calls until all are done    calls a second, launches
//   overlapped hot         device timers around a chunk of calls              device time, cache
//   warm cold        cache flushed, then one call between device        device time, cache cold
//               timers (without timers: the host's clock)
//
// A chunk is as many calls as fill `min_chunk`. It is sized by chunks that are thrown away, so that
// no sample depends on the sizing. In mode cold the flush is queued, not awaited: while the device
// overwrites its cache, the host queues the timer and the call behind it, so their launch does not
// fall between the timers. (A call that takes the host longer to queue than the flush takes to run
// still shows launch gaps.)
//
// Not for correctness: nothing looks at what the function computes. Not for phases: pass forward
// and backward as functions of their own.
//
//   absl::StatusOr<SampleSet> set = Measure(device, Mode::kWall, [&] { model.Forward(inputs); },
//   {}); absl::StatusOr<statistics::Summary> summary = statistics::Summarize(set->samples_ns);

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_MODES_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_MODES_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "benchmarks/harness/sampling/device.h"
#include "benchmarks/harness/sampling/stop_rule.h"
#include "benchmarks/harness/sampling/warmup.h"

namespace assay::sampling {

enum class Mode { kWall, kThroughput, kHot, kCold };

// "wall", "throughput", "hot", "cold": as on the command line and in the record.
std::string_view ModeName(Mode mode);

// InvalidArgument with the list of names for any other text.
absl::StatusOr<Mode> ParseMode(std::string_view name);

// The modes to measure by default on this device, in the order to run them: hot last, since it
// heats the device.
std::vector<Mode> DefaultModes(const Device& device);

struct SamplingOptions {
  PrecisionRule::Options precision = {};
  StopRule* rule = nullptr;  // null: a PrecisionRule with `precision`

  int64_t max_samples = 100'000;  // memory is taken for all of them before the first

  absl::Duration min_chunk = absl::Milliseconds(1);   // throughput and hot
  absl::Duration max_chunk = absl::Milliseconds(20);  // where min_chunk_calls would be longer
  int64_t min_chunk_calls = 20;  // hot only: launches queue up behind each other

  // Absent: none. It is done anew before each mode, so only the first Measure of a process sees the
  // true first call.
  std::optional<WarmupOptions> warmup = WarmupOptions{};

  // Looked at after every sample and every warm-up step; once true, Measure returns what it has.
  const std::atomic<bool>* interrupted = nullptr;
};

// What Measure found. Times are for one call.
struct SampleSet {
  Mode mode = Mode::kWall;
  std::vector<double> samples_ns = {};  // in the order taken; none if interrupted in the warm-up
  int64_t calls_per_sample = 1;
  StopReason stop_reason = StopReason::kBudget;
  double cpu_ns = 0;       // CPU time of the process, all threads, over the whole loop
  int64_t elapsed_ns = 0;  // of the whole loop, flushes and waits included
  std::optional<WarmupReport> warmup = std::nullopt;
  std::vector<std::string> flags = {};  // names of validity checks that the samples failed
};

// Takes samples of `call` until the rule says stop. `call` queues its work in the queue that the
// device's timers are put in; what it throws passes through. InvalidArgument for options that make
// no sense, FailedPrecondition for a mode that the device cannot do, else what the device returned.
absl::StatusOr<SampleSet> Measure(Device& device, Mode mode, absl::FunctionRef<void()> call,
                                  const SamplingOptions& options);

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_MODES_H_
