#include "tools/suite/cluster/task_scratch.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace assay::suite {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "assay-task-";

absl::Status Failed(const std::string& path) {
  return absl::UnavailableError(absl::StrCat("cannot make the folder ", path, ": ",
                                             std::generic_category().message(errno),
                                             "; TMPDIR says where"));
}

// Opens a folder and locks it; -1 where it cannot, as while its task runs.
int Locked(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
  close(fd);
  return -1;
}

void RemoveLeft(const std::string& parent) {
  std::error_code error;
  for (fs::directory_iterator entry(parent, error), end; !error && entry != end;
       entry.increment(error)) {
    if (!absl::StartsWith(entry->path().filename().string(), kPrefix)) continue;
    const int lock = Locked(entry->path().string());
    if (lock < 0) continue;
    std::error_code ignored;
    fs::remove_all(entry->path(), ignored);
    close(lock);
  }
}

}  // namespace

TaskScratch::TaskScratch(std::string path, int lock) : path_(std::move(path)), lock_(lock) {}

TaskScratch::TaskScratch(TaskScratch&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)) {}

TaskScratch::~TaskScratch() {
  if (lock_ < 0) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  close(lock_);
}

absl::StatusOr<TaskScratch> TaskScratch::Make() {
  const char* const variable = std::getenv("TMPDIR");
  const std::string parent = variable == nullptr || *variable == '\0' ? "/tmp" : variable;
  std::string path = absl::StrCat(parent, "/", kPrefix, "XXXXXX");
  // One task at a time looks and makes, so that none finds another's folder before its lock.
  const int gate = open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (gate < 0) return Failed(path);
  const absl::Cleanup open_gate = [gate] { close(gate); };
  if (flock(gate, LOCK_EX) != 0) return Failed(path);
  RemoveLeft(parent);
  if (mkdtemp(path.data()) == nullptr) return Failed(path);
  const int lock = Locked(path);
  if (lock < 0) return Failed(path);
  return TaskScratch(path, lock);
}

}  // namespace assay::suite
