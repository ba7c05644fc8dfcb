#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_CAPTURING_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_CAPTURING_H_

// ---------------------------------------------------------------------------------------------
// capturing.h: --capture-trace of one case: an execution trace of one call of each measured step, in
// a file of its own, <folder>/<case>.<step>.json. It comes after all measurements and so changes no
// timed number.
//
// Not for: the recorder (harness/trace/capture.h).
//
// Example:
//   absl::Status captured = CaptureTraces({c, line, settings, device, steps}, std::cout);
// ---------------------------------------------------------------------------------------------

#include <ostream>

#include "absl/status/status.h"
#include "benchmarks/harness/runner/profiling.h"

namespace assay::runner {

// Ended(RECORD_FAILED) where a file could not be written; errors of the calls. CheckProfile() has
// made the folder.
absl::Status CaptureTraces(const ProfiledCase& profiled, std::ostream& out);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_CAPTURING_H_
