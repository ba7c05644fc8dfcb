#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_GIVEN_PYTHON_REFERENCE_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_GIVEN_PYTHON_REFERENCE_H_

// ---------------------------------------------------------------------------------------------
// python_reference.h: --verify-with=python: has the case's implementation in Python compute the
// outputs of weights that the user gave.
//
// It runs //tools:reference_of_weights and waits for its end, so nothing of Python is there while
// this process measures. That program reads the files of the weights by itself: a tensor that
// this suite's reader puts in a wrong place shows as wrong outputs.
//
// Not for: the seeded weights, whose references the lock has; the verdict (verification.h).
//
// Example:
//   absl::StatusOr<std::string> reference = ReferenceByPython(c, "path/of/save_pretrained");
// ---------------------------------------------------------------------------------------------

#include <string>

#include "absl/status/statusor.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

// The path of a reference file, in the folder of what can be made again (cache_folder.h).
// UsageError where the case has no implementation in Python, this process was not started in a
// workspace, or the weights cannot be opened; INTERRUPTED after Ctrl-C; ARTIFACT_UNAVAILABLE where
// nothing could be computed.
absl::StatusOr<std::string> ReferenceByPython(const ResolvedCase& c, const std::string& weights);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_GIVEN_PYTHON_REFERENCE_H_
