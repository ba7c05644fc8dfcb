#include "benchmarks/harness/tensor_files/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace assay::tensor_files {
namespace {

absl::Status ErrnoStatus(int error, const std::string& path) {
  const std::string what = absl::StrCat("reading ", path);
  if (error == ENOMEM) {
    return absl::ResourceExhaustedError(
        absl::StrCat(what, ": no address space left for it (ulimit -v)"));
  }
  return absl::ErrnoToStatus(error, what);
}

}  // namespace

absl::StatusOr<std::shared_ptr<const MappedFile>> MappedFile::Open(const std::string& path) {
  // O_NONBLOCK: opening a pipe must not wait for its writer.
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return ErrnoStatus(errno, path);
  const absl::Cleanup close_file = [fd] { close(fd); };  // the mapping outlives it
  struct stat status;
  if (fstat(fd, &status) != 0) return ErrnoStatus(errno, path);
  if (!S_ISREG(status.st_mode)) {
    return absl::FailedPreconditionError(absl::StrCat("reading ", path, ": not a regular file"));
  }
  const size_t size = static_cast<size_t>(status.st_size);
  if (size == 0) return std::shared_ptr<const MappedFile>(new MappedFile(path, nullptr, 0));
  // Writable and without reservation: a tensor that views the pages may be written to, and a file
  // larger than memory still fits.
  void* data = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, fd, 0);
  if (data == MAP_FAILED) return ErrnoStatus(errno, path);
  return std::shared_ptr<const MappedFile>(new MappedFile(path, static_cast<char*>(data), size));
}

MappedFile::MappedFile(std::string path, char* data, size_t size)
    : path_(std::move(path)), data_(data), size_(size) {}

MappedFile::~MappedFile() {
  if (data_ != nullptr) munmap(data_, size_);
}

void MappedFile::Release(size_t begin, size_t end) const {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t first = (begin + page - 1) / page * page, last = std::min(end, size_) / page * page;
  if (first < last) madvise(data_ + first, last - first, MADV_DONTNEED);
}

}  // namespace assay::tensor_files
