#include "benchmarks/harness/tensor_files/file_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <string_view>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"

namespace assay::tensor_files {
namespace {

absl::Status ErrnoStatus(int error, std::string_view doing, const std::string& path) {
  const std::string what = absl::StrCat(doing, " ", path);
  if (error == ENOSPC || error == EDQUOT) {
    return absl::ResourceExhaustedError(
        absl::StrCat(what, ": no space left; free some or choose another folder"));
  }
  return absl::ErrnoToStatus(error, what);
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  int get() const { return fd_; }
  // Closes now: some file systems report a failed write only here. Returns errno or 0.
  int Close() {
    const int fd = fd_;
    fd_ = -1;
    return close(fd) == 0 ? 0 : errno;
  }

 private:
  int fd_;
};

// Returns errno or 0.
int WriteAll(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    content.remove_prefix(static_cast<size_t>(written));
  }
  return 0;
}

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// Random, not numbered by pid: pids repeat, above all in containers, and a leftover file may have
// the name.
std::string TemporaryName(const std::string& path) {
  std::random_device draw;
  return absl::StrCat(path, ".tmp.", absl::Hex(draw(), absl::kZeroPad8),
                      absl::Hex(draw(), absl::kZeroPad8));
}

}  // namespace

absl::StatusOr<std::string> ReadFile(const std::string& path, int64_t most_bytes) {
  // O_NONBLOCK: opening a pipe must not wait for its writer.
  Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return ErrnoStatus(errno, "reading", path);
  struct stat status;
  if (fstat(file.get(), &status) != 0) return ErrnoStatus(errno, "reading", path);
  if (!S_ISREG(status.st_mode)) {
    return absl::FailedPreconditionError(absl::StrCat("reading ", path, ": not a regular file"));
  }
  if (status.st_size > most_bytes) {
    return absl::OutOfRangeError(absl::StrCat("reading ", path, ": ", status.st_size,
                                              " bytes, more than the ", most_bytes, " expected"));
  }
  std::string bytes(static_cast<size_t>(status.st_size), '\0');
  size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t got = read(file.get(), bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return ErrnoStatus(errno, "reading", path);
    if (got == 0) break;  // the file was shortened meanwhile; the caller's digest check finds it
    filled += static_cast<size_t>(got);
  }
  bytes.resize(filled);
  return bytes;
}

absl::Status WriteFileAtomically(const std::string& path, std::string_view content,
                                 std::optional<mode_t> mode) {
  return WriteFileAtomically(path, absl::MakeConstSpan(&content, 1), mode);
}

absl::Status WriteFileAtomically(const std::string& path, absl::Span<const std::string_view> pieces,
                                 std::optional<mode_t> mode) {
  const std::string temporary = TemporaryName(path);
  Descriptor file(open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (file.get() < 0) return ErrnoStatus(errno, "creating", temporary);
  absl::Cleanup remove_temporary = [&temporary] { unlink(temporary.c_str()); };

  int error = 0;
  for (const std::string_view piece : pieces) {
    if (error == 0) error = WriteAll(file.get(), piece);
  }
  if (error == 0 && mode.has_value() && fchmod(file.get(), *mode) != 0) error = errno;
  if (error == 0 && fsync(file.get()) != 0) error = errno;
  const int close_error = file.Close();
  if (error == 0) error = close_error;
  if (error != 0) return ErrnoStatus(error, "writing", temporary);
  if (rename(temporary.c_str(), path.c_str()) != 0) {
    return ErrnoStatus(errno, absl::StrCat("renaming ", temporary, " to"), path);
  }
  std::move(remove_temporary).Cancel();

  const std::string folder_path = FolderOf(path);
  Descriptor folder(open(folder_path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() < 0 || fsync(folder.get()) != 0) {
    return ErrnoStatus(errno, "making the new name durable in", folder_path);
  }
  return absl::OkStatus();
}

}  // namespace assay::tensor_files
