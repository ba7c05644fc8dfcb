// -----------------------------------------------------------------------------
// File: evidence.h
// -----------------------------------------------------------------------------
//
// The observations made during and around sampling, for the validity checks to judge.
//
// Not for judging: validity.h.
//
//   ShotTally tally(protocol, null);
//   tally.Add(shot);                // no memory for each

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_EVIDENCE_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_EVIDENCE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/types/span.h"
#include "benchmarks/harness/sampling/device/device.h"
#include "benchmarks/harness/sampling/modes.h"
#include "benchmarks/harness/sampling/shot.h"
#include "benchmarks/harness/sampling/warmup.h"

namespace assay::sampling {

// Two clocks disagree, and work is late, if the difference exceeds both limits. TensorRT's trtexec
// warns at similar figures.
inline constexpr double kClocksShare = 0.02;
inline constexpr double kClocksNs = 5'000;

// The time that a launch and the waking of the host may take. A chunk's wall time holds it. So does
// the span between two stamps of the device's clock where the queue is not held: the first stamp
// runs at once, and the timer's start a launch later.
inline constexpr double kLaunchGapNs = 50'000;

// The limits of the hardware and the needs of a call; 0: unknown.
struct HardwareLimits {
  double flops_per_call = 0;
  double bytes_per_call = 0;  // that must come from memory; used in mode cold only
  double peak_flops_per_s = 0;
  double peak_bytes_per_s = 0;
};

// The readings of a mode for a function that does nothing.
struct NullReading {
  int64_t duration_ns = 0;
  int64_t residual_ns = 0;
};

// Times of reading a small buffer just after a flush and just after a read.
struct CacheProbe {
  int64_t cold_ns = 0;
  int64_t warm_ns = 0;
};

// A longer wait for a device that should be idle means work, or a machine that is disturbed.
inline constexpr double kIdleWaitNs = 50'000;

// Activity after the last call, while nothing was called.
struct LateWork {
  // The second longest Synchronize() and the longest, beyond that of an idle device. A machine that
  // is disturbed once makes one long wait; work that calls leave behind makes more.
  int64_t device_ns = 0;
  int64_t longest_ns = 0;
  int64_t cpu_ns = 0;     // CPU time of the process in a window, after threads had time to settle
  int64_t window_ns = 0;  // length of that window; 0: not measured
};

// Calls on the same inputs and on other inputs, in turns.
struct FreshInputs {
  int64_t pairs = 0;
  double other_over_same = 1;  // ratio of median durations
  double same_ns = 0;          // lower bound of it
  int64_t first_visits = 0;    // pairs whose other inputs had not been used before
  double least_first_visit_ns = 0;
  int64_t input_bytes = 0;  // bytes of one input set; 0 where unknown
  bool outputs_differ = true;
};

// Sums over samples, updated while they are taken, so that no memory per sample is needed.
class ShotTally {
 public:
  // `null` is subtracted from residuals.
  ShotTally(const Protocol& protocol, const NullReading& null) : protocol_(protocol), null_(null) {}
  void Add(const Shot& shot);

  int64_t shots = 0;
  int64_t late = 0;  // the device was busy after the timer had stopped
  int64_t worst_late_ns = 0;
  int64_t apart = 0;  // two clocks disagree
  int64_t worst_apart_ns = 0;
  int64_t unheld = 0;     // holds that the watchdog ended
  double enqueue_ns = 0;  // sums over the shots that have them
  double enqueued_wall_ns = 0;
  double duration_ns = 0;
  bool cpu_known = false;
  int64_t cpu_ns = 0;        // CPU time of the process in the shots,
  int64_t cpu_wall_ns = 0;   // in so much time
  int64_t instructions = 0;  // likewise; -1: not those of all shots are known

 private:
  // Whether the last shot was held: one that the watchdog ended was the last.
  bool IsHeld() const { return protocol_.hold && unheld == 0; }

  Protocol protocol_;
  NullReading null_;
};

struct Evidence {
  Mode mode = Mode::kWall;
  Protocol protocol = {};
  absl::Span<const double> samples_ns = {};   // per call, in the order taken
  absl::Span<const uint32_t> clock_mhz = {};  // one for each sample, or none
  int64_t calls = 0;                          // in all samples together
  int64_t elapsed_ns = 0;
  bool precise = true;
  std::optional<WarmupReport> warmup = {};
  std::optional<ShotTally> tally = {};
  bool hold_ended = false;  // by its watchdog, when it was tried
  std::optional<NullReading> null = {};
  std::optional<CacheProbe> cache = {};
  std::optional<LateWork> late = {};
  std::optional<FreshInputs> fresh = {};
  std::string fresh_not_run = {};  // the reason where `fresh` is absent
  std::optional<bool> inputs_unchanged = {};
  std::optional<bool> outputs_unchanged = {};            // before and after the timing
  std::optional<bool> outputs_unchanged_in_warmup = {};  // after the first call and the last
  std::optional<std::string> input_concern = {};
  HostCounters counters_before = {}, counters_after = {};
  MemoryState memory_before = {}, memory_after = {};
  int cpus = 1;
  int threads = 0;            // that a call may compute with; 0: not known
  int64_t cpu_ns = 0;         // CPU time of the process, all threads,
  int64_t cpu_wall_ns = 0;    // in so much time; 0: not looked at
  int64_t bytes_touched = 0;  // mode graph
  int64_t cache_bytes = 0;
  HardwareLimits hardware_limits = {};
};

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_EVIDENCE_H_
