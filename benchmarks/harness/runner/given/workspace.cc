#include "benchmarks/harness/runner/given/workspace.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
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

}  // namespace assay::runner
