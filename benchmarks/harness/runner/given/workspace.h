#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_GIVEN_WORKSPACE_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_GIVEN_WORKSPACE_H_

// ---------------------------------------------------------------------------------------------
// workspace.h: the tree in which `bazel run` started this program. A runner has programs of that
// tree built that it does not depend on itself, since they need Python packages (--locate, --plot).
//
// Example:
//   if (Workspace().empty()) return UsageError("start the case by tools/bazel run");
//   absl::StatusOr<std::string> folder = NewFolder("locate");
// ---------------------------------------------------------------------------------------------

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace assay::runner {

// The tree's folder; empty where `bazel run` did not start this program.
std::string Workspace();

// A new folder for temporary files, which the caller removes; RECORD_FAILED where there is no room.
absl::StatusOr<std::string> NewFolder(std::string_view name);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_GIVEN_WORKSPACE_H_
