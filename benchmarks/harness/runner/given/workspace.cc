#include "benchmarks/harness/runner/given/workspace.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/processes/other_program.h"
#include "benchmarks/harness/runner/verdict/run_status.h"

namespace assay::runner {

std::string Workspace() {
  const char* const workspace = std::getenv("BUILD_WORKSPACE_DIRECTORY");
  return workspace == nullptr ? "" : workspace;
}

absl::StatusOr<std::string> NewFolder(std::string_view name) {
  std::error_code error;
  std::string folder =
      std::filesystem::temp_directory_path(error) / absl::StrCat("assay_", name, ".XXXXXX");
  if (!error && mkdtemp(folder.data()) != nullptr) return folder;
  return Ended(RECORD_FAILED, absl::StrCat("no temporary folder (TMPDIR): ",
                                           error ? error.message() : std::strerror(errno)));
}

absl::StatusOr<std::string> BuiltProgram(std::string_view flag, std::string_view label,
                                         const std::string& folder) {
  std::string script = folder + "/start";
  const absl::StatusOr<int> code = processes::RunShown(
      {Workspace() + "/tools/bazel", "run", "--script_path=" + script, std::string(label)});
  if (!code.ok()) return Ended(ARTIFACT_UNAVAILABLE, code.status().message());
  if (*code == 0) return script;
  return Ended(ARTIFACT_UNAVAILABLE,
               absl::StrCat(flag, ": ", label,
                            " could not be built; why stands above. It needs "
                            "the Python packages of the other implementation (0.6 GB to fetch, "
                            "1.5 GB on disk); to try it alone: tools/bazel build ",
                            label));
}

}  // namespace assay::runner
