#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_GIVEN_WORKSPACE_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_GIVEN_WORKSPACE_H_

// ---------------------------------------------------------------------------------------------
// workspace.h: the tree in which `bazel run` started this program. A runner has programs of that
// tree built that it does not depend on itself, since they need Python packages (--locate, --verify-with, --plot).
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

// Has tools/bazel build a program of the tree, and returns the path of the script that starts it, in
// `folder`. ARTIFACT_UNAVAILABLE, naming `flag`, where that fails; the reason is on standard error.
absl::StatusOr<std::string> BuiltProgram(std::string_view flag, std::string_view label,
                                         const std::string& folder);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_GIVEN_WORKSPACE_H_
