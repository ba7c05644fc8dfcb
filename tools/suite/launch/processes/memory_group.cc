#include "tools/suite/launch/processes/memory_group.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace assay::suite {
namespace {

// The path of this process's group in the hierarchy of version 2; empty if there is none.
std::string OwnGroup(const std::string& root) {
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    std::string_view text = line;
    if (absl::ConsumePrefix(&text, "0::/")) return absl::StrCat("/", text);
  }
  return "";
}

// Writes to a file of the kernel, which must exist.
bool Put(const std::string& path, const std::string& value) {
  const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool put = write(file, value.data(), value.size()) == static_cast<ssize_t>(value.size());
  const int error = errno;
  close(file);
  errno = error;
  return put;
}

}  // namespace

absl::StatusOr<MemoryGroup> MemoryGroup::Make(int64_t bytes, const std::string& root) {
  const std::string own = OwnGroup(root);
  if (own.empty()) {
    return absl::UnavailableError("this process is in no control group of version 2");
  }
  const std::string base = absl::StrCat(root, "/sys/fs/cgroup", own == "/" ? "" : own);
  const std::string beside = base.substr(0, base.rfind('/'));
  std::string why;
  for (const std::string& parent : {own == "/" ? base : beside, base}) {
    const std::string folder = absl::StrCat(parent, "/assay-", getpid());
    if (mkdir(folder.c_str(), 0755) != 0 && errno != EEXIST) {
      why = absl::StrCat("cannot make ", folder, ": ", std::strerror(errno));
      continue;
    }
    if (Put(folder + "/memory.max", absl::StrCat(bytes))) {
      Put(folder + "/memory.swap.max", "0");
      Put(folder + "/memory.oom.group", "1");
      return MemoryGroup(folder);
    }
    why = absl::StrCat("cannot set ", folder, "/memory.max: ", std::strerror(errno));
    rmdir(folder.c_str());
  }
  return absl::UnavailableError(why);
}

MemoryGroup::MemoryGroup(std::string folder) : folder_(std::move(folder)) {}

MemoryGroup::MemoryGroup(MemoryGroup&& other) noexcept
    : folder_(std::exchange(other.folder_, "")) {}

MemoryGroup::~MemoryGroup() {
  if (!folder_.empty()) rmdir(folder_.c_str());
}

}  // namespace assay::suite
