#include "tools/processes/tool_program.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/processes/child_process.h"
#include "tools/processes/workspace.h"

namespace assay::processes {

absl::StatusOr<int> RunTool(const std::string& root, const std::string& label,
                            const std::vector<std::string>& words,
                            const std::vector<std::string>& build_flags,
                            const std::atomic<bool>* interrupted) {
  if (root.empty()) {
    return absl::FailedPreconditionError(absl::StrCat(
        label,
        " is built in the tree that this was started in; start it with: ", "tools/bazel run ..."));
  }
  const absl::StatusOr<std::vector<std::string>> built =
      Build(OpenFolder(root), {label}, build_flags, interrupted);
  if (!built.ok()) return built.status();
  ChildCommand command{.arguments = *built, .show_errors = true, .show_output = true};
  command.arguments.insert(command.arguments.end(), words.begin(), words.end());
  const absl::StatusOr<ChildEnd> end = RunChild(command, interrupted);
  if (!end.ok()) return end.status();
  if (end->ending == Ending::kExited) return end->code;
  return absl::UnavailableError(absl::StrCat(label, ": ", Describe(*end)));
}

}  // namespace assay::processes
