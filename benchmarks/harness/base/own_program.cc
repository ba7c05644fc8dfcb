#include "benchmarks/harness/base/own_program.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace assay::base {
namespace {

namespace fs = std::filesystem;

// FOLDER/bin/NAME, or empty outside of a package.
fs::path PackagedProgram() {
  const char* const program = std::getenv("ASSAY_PROGRAM");
  return program == nullptr ? "" : program;
}

std::string Launcher(const fs::path& program) {
  return (program.parent_path().parent_path() / "assay").string();
}

}  // namespace

std::string OwnProgram() {
  if (const fs::path packaged = PackagedProgram(); !packaged.empty()) return packaged.string();
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).string();
}

std::string RunCommand(std::string_view label) {
  const fs::path packaged = PackagedProgram();
  if (packaged.empty()) return absl::StrCat("tools/bazel run ", label, " --");
  const std::string name = packaged.filename().string();
  return absl::StrCat(Launcher(packaged), " ",
                      name == "runner" ? absl::StrCat("run ", label) : name);
}

std::string TestCommand(std::string_view label) {
  const fs::path packaged = PackagedProgram();
  return absl::StrCat(packaged.empty() ? "tools/bazel" : Launcher(packaged), " test ", label);
}

}  // namespace assay::base
