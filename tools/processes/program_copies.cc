#include "tools/processes/program_copies.h"

#include <signal.h>
#include <sys/types.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/base/cache_folder.h"
#include "tools/processes/program_stamp.h"

namespace assay::processes {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 16;  // from a runfile to its file; Bazel makes three

// A file of an external repository, which no build writes: the first such path to which the links
// from `path` lead; empty where there is none.
fs::path OutsideOfBuilds(fs::path path) {
  std::error_code error;
  for (int i = 0; i < kMostLinks && fs::is_symlink(path, error); ++i) {
    const fs::path to = fs::read_symlink(path, error);
    if (error) return {};
    path = to.is_absolute() ? to : path.parent_path() / to;
    const std::string text = path.string();
    if (absl::StrContains(text, "/external/") && !absl::StrContains(text, "/bazel-out/"))
      return path;
  }
  return {};
}

bool IsGone(const std::string& process) {
  pid_t id = 0;
  return absl::SimpleAtoi(process, &id) && id > 0 && kill(id, 0) != 0 && errno == ESRCH;
}

}  // namespace

absl::StatusOr<std::string> FolderForCopies() {
  const absl::StatusOr<fs::path> cache = base::CacheFolder("copies of programs");
  if (!cache.ok()) return cache.status();
  struct utsname machine = {};
  uname(&machine);  // several machines may have one home
  const fs::path folder = *cache / "programs" / machine.nodename;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    std::error_code ignored;
    if (IsGone(entry.path().filename().string())) fs::remove_all(entry.path(), ignored);
  }
  return (folder / absl::StrCat(getpid())).string();
}

ProgramCopies::ProgramCopies(std::string folder, std::string remedy)
    : folder_(std::move(folder)), remedy_(std::move(remedy)) {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

ProgramCopies::~ProgramCopies() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

absl::StatusOr<std::string> ProgramCopies::Make(const std::string& program,
                                                const std::string& label, uint64_t stamp) {
  const std::string copy =
      absl::StrCat(folder_, "/", absl::StrReplaceAll(absl::StripPrefix(label, "//"), {{":", "/"}}));
  std::error_code error;
  if (fs::exists(copy, error)) return copy;
  const std::string runfiles = program + ".runfiles";
  if (fs::exists(runfiles, error)) {
    if (absl::Status made = MakeRunfiles(runfiles, copy + ".runfiles"); !made.ok()) return made;
  }
  if (absl::Status made = CopyOnce(program, copy); !made.ok()) return made;
  if (StampOf(program) == stamp) return copy;
  return absl::FailedPreconditionError(
      absl::StrCat(program, " changed while it was copied; run this again when no build runs in ",
                   "the same tree"));
}

absl::Status ProgramCopies::MakeRunfiles(const std::string& runfiles,
                                         const std::string& of_copy) const {
  const fs::path tree = folder_ + "/tree";
  std::error_code error;
  fs::recursive_directory_iterator entry(runfiles, error);
  for (const fs::recursive_directory_iterator end; !error && entry != end; entry.increment(error)) {
    const fs::path name = entry->path().lexically_relative(runfiles);
    if (name == "MANIFEST") continue;  // paths of the build's tree
    std::error_code ignored;
    if (!entry->is_symlink(ignored) && entry->is_directory(ignored)) continue;
    if (!entry->exists(ignored)) continue;  // a link to nothing
    if (absl::Status made = CopyOnce(entry->path(), tree / name); !made.ok()) return made;
    const fs::path link = of_copy / name;
    fs::create_directories(link.parent_path(), error);
    if (!error) fs::create_symlink(tree / name, link, error);
    if (error) return CopyFailed(link, error);
  }
  if (error) return absl::UnavailableError(absl::StrCat(runfiles, ": ", error.message()));
  return absl::OkStatus();
}

// `from`, a file or folder or a link to one, as `to`. One that is there already stays.
absl::Status ProgramCopies::CopyOnce(const fs::path& from, const fs::path& to) const {
  std::error_code error;
  if (fs::exists(fs::symlink_status(to, error))) return absl::OkStatus();
  fs::create_directories(to.parent_path(), error);
  if (error) return CopyFailed(to.parent_path(), error);
  if (const fs::path outside = OutsideOfBuilds(from); !outside.empty()) {
    fs::create_symlink(outside, to, error);
  } else {
    const fs::path file = fs::canonical(from, error);
    if (!error) fs::copy(file, to, fs::copy_options::recursive, error);
  }
  return error ? CopyFailed(to, error) : absl::OkStatus();
}

absl::Status ProgramCopies::CopyFailed(const fs::path& path, const std::error_code& error) const {
  return absl::ErrnoToStatus(
      error.value(),
      absl::StrCat("cannot write ", path.string(), ", a copy of what is measured; ", remedy_));
}

}  // namespace assay::processes
