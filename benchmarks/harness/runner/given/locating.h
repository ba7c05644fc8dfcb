#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_GIVEN_LOCATING_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_GIVEN_LOCATING_H_

// ---------------------------------------------------------------------------------------------
// locating.h: --locate: finds the layer of a model that makes the first wrong number.
//
// This program writes inputs and outputs of each of our layers (layer_export.h) and then replaces
// itself by //tools:locate, which records the same of the Python implementation and compares. A
// runner does not depend on that program, which needs 1.5 GB of packages: tools/bazel builds it
// when --locate is given.
//
// Not for: verdicts.
//
// Example:
//   return Locate(c, mistake);
// ---------------------------------------------------------------------------------------------

#include <string>

#include "absl/status/status.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

// Whether --locate can run: OK, or UsageError where the case has no Python implementation or this
// process was not started in a workspace in which the program can be built.
absl::Status CheckLocatable(const ResolvedCase& c);

// Does not return if all goes well: the process is then another program. Otherwise it returns what
// went wrong (run_status.h).
absl::Status Locate(const ResolvedCase& c, const std::string& mistake);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_GIVEN_LOCATING_H_
