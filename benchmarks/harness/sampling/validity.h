// -----------------------------------------------------------------------------
// File: validity.h
// -----------------------------------------------------------------------------
//
// Checks whether samples mean what their mode says. Each known way to mis-measure that a program
// can detect is a check with a name, and every check says what it found, or why it was not made.
//
//   check              FLAGGED (refused by comparisons)            NOTED
//   samples            one sample                                  too few for an interval; not
//                                                                  precise
//   warm               -                                           warm-up ended unsteady
//   steady             trend over the samples above 10 %            above 2 %
//   one_mode           two modes > 10 % apart, each of >= 20 %     two modes closer, or of fewer
//                      of the samples
//   all_work_awaited   device was busy after the timer stopped     -
//   quiet_after        work went on after the last call: two       -
//                      waits for the idle device took > 50 us,
//                      or threads used the CPU
//   clocks_agree       two clocks differ by > 2 % + 5 us, and      -
//                      by 50 us more where no queue is held
//   launch_bound       hot: host queueing is > 80 % of the time    the same in another mode
//   hold               -                                           the watchdog ended the hold
//   cache_cold         flushed buffer is read as fast as warm one  -
//   null_small         an empty function reads > 5 us + 1 %        the same by the host's clock on
//                      of the median; the calls of a chunk         a device with a queue: it holds
//                      share the reading                           the driver's wait
//   not_empty          -                                           a call takes < 1.5 times an
//                                                                  empty function
//   beyond_cache       -                                           graph: inputs fit the cache
//                                                                  twice over
//   clock_held         > 10 % of samples at < 90 % of the clock    > 1 %
//   cpu_contention     waited for a CPU > 25 % of the time         > 5 %
//   cpu_within_threads CPU time > 1.1 * threads + 0.2 times the     -
//                      wall time: others compute than were given
//   memory_steady      device's allocator went to the driver;      page faults > 1 %
//                      page faults > 10 % of the time
//   no_leak            live memory grew by >= 1 KiB a call         by >= 64 B a call
//                      and 1 MiB                                   and 64 KiB
//   inputs_unchanged   a call changed its inputs or its weights    -
//   outputs_unchanged  same inputs, other outputs after timing     other ones after the first call
//                      than before
//   inputs_matter      other inputs give the same outputs          -
//   not_memoised       other inputs take > 10 % longer than the    -
//                      same again, in five pairs or more, and
//                      no cache explains it
//   input_values       -                                           inputs mostly zeros; inputs or
//                                                                  weights with subnormals
//   possible           faster than the hardware's peak by > 5 %    faster than the peak
//
// The thresholds are those of reference systems where they have one (two clocks, launch-bound:
// TensorRT's trtexec; replayed inputs: MLPerf TEST04; throttle: nvbench, made milder since nothing
// is dropped here), else chosen so that a quiet shared machine passes.
//
// Not for correctness of results: the verdict judges that. A run adds checks of its own to these:
// timed_is_verified and weights_kept (runner/verdict/timed_check.h), tensors_freed
// (runner/measure/memory_pass.h).
//
//   for (const Check& check : CheckSamples(evidence)) ...

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_VALIDITY_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_VALIDITY_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "benchmarks/harness/sampling/evidence.h"

namespace assay::sampling {

enum class CheckStatus { kOk, kNoted, kFlagged, kNotRun };

struct Check {
  std::string_view name = {};
  CheckStatus status = CheckStatus::kOk;
  std::string detail = {};  // the figure behind it; for kNotRun the reason
};

// One Check for each name that applies to the mode, in the order of the table above.
std::vector<Check> CheckSamples(const Evidence& evidence);

// Names in the order of the table.
absl::Span<const std::string_view> CheckNames();

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_VALIDITY_H_
