#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_CASE_FILE_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_CASE_FILE_H_

// ---------------------------------------------------------------------------------------------
// case_file.h: reads the case that this process runs.
//
// Not for: checking cases; the build has done that (//defs/compiler:compile_cases).
//
// Example:
//   absl::StatusOr<ResolvedCase> c = ReadCase(path, /*label=*/"");
// ---------------------------------------------------------------------------------------------

#include <string>

#include "absl/status/statusor.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

// Returns a case of a binary Registry with its model and implementation: the one with this label or
// name, or the only one.
absl::StatusOr<ResolvedCase> ReadCase(const std::string& path, const std::string& label);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_CASE_FILE_H_
