#include "benchmarks/harness/tensor_files/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <random>
#include <utility>

#include "absl/strings/str_cat.h"

namespace assay::tensor_files {
namespace {

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

absl::Status ErrnoStatus(int error, std::string_view doing, const std::string& path) {
  const std::string what = absl::StrCat(doing, " ", path);
  if (error == ENOSPC || error == EDQUOT) {
    return absl::ResourceExhaustedError(
        absl::StrCat(what, ": no space left; free some or choose another folder"));
  }
  return absl::ErrnoToStatus(error, what);
}

AtomicFile::AtomicFile(std::string path, std::string temporary, int fd)
    : path_(std::move(path)), temporary_(std::move(temporary)), fd_(fd) {}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, "")),
      fd_(std::exchange(other.fd_, -1)),
      error_(other.error_) {}

AtomicFile::~AtomicFile() {
  if (fd_ >= 0) close(fd_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

absl::StatusOr<AtomicFile> AtomicFile::Create(const std::string& path) {
  std::string temporary = TemporaryName(path);
  const int fd = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0) return ErrnoStatus(errno, "creating", temporary);
  return AtomicFile(path, std::move(temporary), fd);
}

void AtomicFile::Append(std::string_view content) {
  if (error_ == 0) error_ = WriteAll(fd_, content);
}

absl::Status AtomicFile::Commit(std::optional<mode_t> mode) {
  if (error_ == 0 && mode.has_value() && fchmod(fd_, *mode) != 0) error_ = errno;
  if (error_ == 0 && fsync(fd_) != 0) error_ = errno;
  // Some file systems report a failed write only here.
  if (close(std::exchange(fd_, -1)) != 0 && error_ == 0) error_ = errno;
  if (error_ != 0) return ErrnoStatus(error_, "writing", temporary_);
  if (rename(temporary_.c_str(), path_.c_str()) != 0)
    return ErrnoStatus(errno, absl::StrCat("renaming ", temporary_, " to"), path_);
  temporary_.clear();
  const std::string folder_path = FolderOf(path_);
  const int folder = open(folder_path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool durable = folder >= 0 && fsync(folder) == 0;
  const int error = errno;
  if (folder >= 0) close(folder);
  if (!durable) return ErrnoStatus(error, "making the new name durable in", folder_path);
  return absl::OkStatus();
}

}  // namespace assay::tensor_files
