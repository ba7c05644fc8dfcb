#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_LOCATING_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_LOCATING_H_

// ---------------------------------------------------------------------------------------------
// locating.h: --locate: where in a model the first wrong number is made.
//
// This program writes what each layer of ours takes and gives (layer_export.h), and becomes
// //tools:locate, which asks the other implementation the same, in Python. A runner does not depend
// on that program, which brings 1.5 GB of packages: it has tools/bazel build it when it is wanted.
//
// Not for: verdicts.
//
// Example:
//   return Locate(c, mistake);
// ---------------------------------------------------------------------------------------------

#include <string>

#include "absl/status/status.h"
#include "defs/suite.pb.h"

namespace assay::runner {

// Whether there is anything to compare the case with, layer by layer, and a workspace to build the
// program in: OK, or UsageError.
absl::Status CheckLocatable(const ResolvedCase& c);

// Does not return where all is well: this process is then another program. Otherwise what went
// wrong (run_status.h).
absl::Status Locate(const ResolvedCase& c, const std::string& mistake);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_LOCATING_H_
