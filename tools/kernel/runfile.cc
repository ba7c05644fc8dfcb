#include "tools/kernel/runfile.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

#include "absl/strings/str_cat.h"

namespace fs = std::filesystem;

namespace assay::kernel {

absl::StatusOr<std::string> FindRunfile(std::string_view name) {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  std::vector<fs::path> folders;
  // A test has these, and a program that a script has started.
  for (const char* const variable : {"RUNFILES_DIR", "TEST_SRCDIR"}) {
    if (const char* const folder = std::getenv(variable); folder != nullptr)
      folders.emplace_back(folder);
  }
  folders.emplace_back(program.string() + ".runfiles");
  for (const fs::path& folder : folders) {
    for (const char* const workspace : {"assay", "_main"}) {
      const fs::path path = folder / workspace / std::string(name);
      if (fs::exists(path, error)) return fs::absolute(path, error).string();
    }
  }
  return absl::NotFoundError(absl::StrCat("there is no ", name, " beside ", program.string(),
                                          "; start it with: tools/bazel run //tools:kernel"));
}

}  // namespace assay::kernel
