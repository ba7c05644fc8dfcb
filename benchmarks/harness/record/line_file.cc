#include "benchmarks/harness/record/line_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"

namespace assay::record {
namespace {

std::string_view Mend(int error) {
  switch (error) {
    case ENOENT:
      return "make the folder first";
    case EACCES:
    case EPERM:
    case EROFS:
      return "choose a file that you may write to";
    case ENOSPC:
    case EDQUOT:
      return "free some space, or choose a file on another disk";
    case EFBIG:
      return "the file has reached the size limit (ulimit -f); choose another file";
    case EISDIR:
      return "name a file, not a folder";
    default:
      return "choose another file";
  }
}

absl::Status Failed(const LineFile& file, std::string_view what, int error) {
  return absl::ErrnoToStatus(
      error, absl::StrCat(file.kind, " ", file.path, ": ", what, "; ", Mend(error)));
}

template <typename Call>
auto WithoutEintr(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

// A descriptor, or -1 with errno set.
int OpenForAppend(const std::string& path) {
  return WithoutEintr(
      [&] { return open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0644); });
}

// Whether the file ends in the middle of a line.
bool EndsTorn(int fd, off_t size) {
  char last = '\n';
  if (size > 0) WithoutEintr([&] { return pread(fd, &last, 1, size - 1); });
  return last != '\n';
}

// Writes the line; the error number, or 0.
int Write(int fd, std::string_view line, bool sync) {
  // One write: with O_APPEND it is atomic against writers that ignore the lock.
  const ssize_t written = WithoutEintr([&] { return write(fd, line.data(), line.size()); });
  if (written < 0) return errno;
  if (static_cast<size_t>(written) < line.size()) {
    // A disk that fills up takes what fits. The next write reports the reason.
    const std::string_view rest = line.substr(static_cast<size_t>(written));
    const ssize_t more = WithoutEintr([&] { return write(fd, rest.data(), rest.size()); });
    if (more < 0) return errno;
    if (static_cast<size_t>(more) < rest.size()) return ENOSPC;
  }
  return sync && WithoutEintr([&] { return fsync(fd); }) < 0 ? errno : 0;
}

}  // namespace

absl::Status CheckAppendable(const LineFile& file) {
  const int fd = OpenForAppend(file.path);
  if (fd < 0) return Failed(file, "cannot be opened", errno);
  close(fd);
  return absl::OkStatus();
}

absl::Status AppendLine(const LineFile& file, std::string_view text) {
  const int fd = OpenForAppend(file.path);
  if (fd < 0) return Failed(file, "cannot be opened", errno);
  const absl::Cleanup close_file = [fd] { close(fd); };  // also gives the lock back
  if (WithoutEintr([&] { return flock(fd, LOCK_EX); }) < 0)
    return Failed(file, "cannot be locked", errno);
  struct stat before = {};
  if (fstat(fd, &before) < 0) return Failed(file, "cannot be examined", errno);

  const std::string line = absl::StrCat(EndsTorn(fd, before.st_size) ? "\n" : "", text, "\n");
  if (const int error = Write(fd, line, file.sync); error != 0) {
    const bool restored = !S_ISREG(before.st_mode) || ftruncate(fd, before.st_size) == 0;
    return Failed(file,
                  restored ? "the line could not be written, the file is as it was"
                           : "the line could not be written, the last one is torn",
                  error);
  }
  return absl::OkStatus();
}

}  // namespace assay::record
