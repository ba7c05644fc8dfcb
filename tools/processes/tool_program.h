// -----------------------------------------------------------------------------
// File: tool_program.h
// -----------------------------------------------------------------------------
//
// Builds another program of this tree and runs it to its end, for a program that ends by handing its
// results to it. Only who asks for that pays for its build, and for the Python that it may fetch.
//
//   absl::StatusOr<int> code = RunTool(root, "//tools/report:report", {"/data/out"}, {}, &stop);

#ifndef ASSAY_TOOLS_PROCESSES_TOOL_PROGRAM_H_
#define ASSAY_TOOLS_PROCESSES_TOOL_PROGRAM_H_

#include <atomic>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace assay::processes {

// The program's exit code; both its streams are this process's. `root` is the tree's, as
// BUILD_WORKSPACE_DIRECTORY says it; FailedPrecondition where that is empty. `build_flags` are
// Bazel's. Unavailable for a program that ends by a signal.
absl::StatusOr<int> RunTool(const std::string& root, const std::string& label,
                            const std::vector<std::string>& words,
                            const std::vector<std::string>& build_flags,
                            const std::atomic<bool>* interrupted);

}  // namespace assay::processes

#endif  // ASSAY_TOOLS_PROCESSES_TOOL_PROGRAM_H_
