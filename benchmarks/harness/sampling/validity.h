// -----------------------------------------------------------------------------
// File: validity.h
// -----------------------------------------------------------------------------
//
// Whether samples mean what their mode says. Each known way to mis-measure that a machine can see
// is a check with a name, and every check says what it found, or why it could not look.
//
//   check              FLAGGED (refused by comparisons)            NOTED
//   samples            one sample                                  too few for an interval; not
//                                                                  precise
//   warm               -                                           warm-up ended unsteady
//   steady             trend over the samples above 5 %            above 2 %
//   one_mode           two modes > 10 % apart, each of >= 20 %     two modes closer, or of fewer
//                      of the samples
//   all_work_awaited   device was busy after the timer stopped     -
//   quiet_after        work went on after the last call            -
//   clocks_agree       two clocks differ by > 2 % + 5 us           -
//   launch_bound       hot: host queueing is > 80 % of the time    the same in another mode
//   hold               -                                           the watchdog ended the hold
//   cache_cold         flushed buffer is read as fast as warm one  -
//   null_small         an empty function reads > 5 us + 1 %        -
//                      of the median
//   not_empty          -                                           a call takes < 1.5 times an
//                                                                  empty function
//   beyond_cache       -                                           graph: inputs fit the cache
//                                                                  twice over
//   clock_held         > 10 % of samples at < 90 % of the clock    > 1 %
//   cpu_contention     waited for a CPU > 25 % of the time         > 5 %
//   memory_steady      device's allocator went to the driver;      page faults > 1 %
//                      page faults > 10 % of the time
//   no_leak            live memory grew by >= 1 KiB a call         by >= 64 B a call
//                      and 1 MiB                                   and 64 KiB
//   inputs_unchanged   a call changed its inputs or its weights    -
//   outputs_unchanged  same inputs, other outputs after timing     other ones after the first call
//                      than before
//   inputs_matter      other inputs give the same outputs          -
//   not_memoised       other inputs take > 10 % longer than the    -
//                      same again
//   input_values       -                                           mostly zeros, or subnormals
//   possible           faster than the hardware's peak by > 5 %    faster than the peak
//
// The thresholds are those of reference systems where they have one (two clocks, launch-bound:
// TensorRT's trtexec; replayed inputs: MLPerf TEST04; throttle: nvbench, made milder since nothing
// is dropped here), else chosen so that a quiet shared machine passes.
//
// Not for correctness of what is computed: that is the verdict's.
//
//   for (const Check& check : CheckSamples(evidence)) ...

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_VALIDITY_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_VALIDITY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "benchmarks/harness/sampling/device/device.h"
#include "benchmarks/harness/sampling/modes.h"
#include "benchmarks/harness/sampling/shot.h"
#include "benchmarks/harness/sampling/warmup.h"

namespace assay::sampling {

enum class CheckStatus { kOk, kNoted, kFlagged, kNotRun };

struct Check {
  std::string_view name = {};
  CheckStatus status = CheckStatus::kOk;
  std::string detail = {};  // the figure behind it; for kNotRun the reason
};

// What hardware can do at most, and what a call needs at least; 0: not known.
struct Physics {
  double flops_per_call = 0;
  double bytes_per_call = 0;  // that must come from memory: looked at in mode cold only
  double peak_flops_per_s = 0;
  double peak_bytes_per_s = 0;
};

// What a mode reads for a function that does nothing.
struct NullReading {
  int64_t duration_ns = 0;
  int64_t residual_ns = 0;
};

// Reading a small buffer, just flushed and just read.
struct CacheProbe {
  int64_t cold_ns = 0;
  int64_t warm_ns = 0;
};

// After the last call, while nothing was called.
struct LateWork {
  int64_t device_ns = 0;  // host time of a Synchronize beyond that of an idle device
  int64_t cpu_ns = 0;     // CPU time of the process in a window, after threads had time to settle
  int64_t window_ns = 0;  // its length; 0: not looked at
};

// Calls on the same inputs and on others, in turns.
struct FreshInputs {
  int64_t pairs = 0;
  double other_over_same = 1;  // ratio of median durations
  double same_ns = 0;          // the lower part of it
  int64_t first_visits = 0;    // pairs whose other inputs had not been used before
  double least_first_visit_ns = 0;
  int64_t input_bytes = 0;  // of one set; 0 where unknown
  bool outputs_differ = true;
};

// Counts over samples, kept while they are taken: no memory for each.
class ShotTally {
 public:
  // `null` is subtracted from residuals.
  ShotTally(const Recipe& recipe, const NullReading& null) : recipe_(recipe), null_(null) {}
  void Add(const Shot& shot);

  int64_t shots = 0;
  int64_t late = 0;  // the device was busy after the timer had stopped
  int64_t worst_late_ns = 0;
  int64_t apart = 0;  // two clocks disagree
  int64_t worst_apart_ns = 0;
  int64_t unheld = 0;     // holds that the watchdog ended
  double enqueue_ns = 0;  // sums over the shots that know them
  double enqueued_wall_ns = 0;
  double duration_ns = 0;
  bool cpu_known = false;
  int64_t cpu_ns = 0;

 private:
  Recipe recipe_;
  NullReading null_;
};

struct Evidence {
  Mode mode = Mode::kWall;
  Recipe recipe = {};
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
  int64_t bytes_touched = 0;  // mode graph
  int64_t cache_bytes = 0;
  Physics physics = {};
};

// One Check of each name that the mode can meet, in the order of the table above.
std::vector<Check> CheckSamples(const Evidence& evidence);

// Names in the order of the table.
absl::Span<const std::string_view> CheckNames();

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_VALIDITY_H_
