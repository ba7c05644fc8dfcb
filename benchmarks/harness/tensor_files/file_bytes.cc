#include "benchmarks/harness/tensor_files/file_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "benchmarks/harness/tensor_files/atomic_file.h"

namespace assay::tensor_files {

absl::StatusOr<std::string> ReadFile(const std::string& path, int64_t most_bytes) {
  // O_NONBLOCK: opening a pipe must not wait for its writer.
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return ErrnoStatus(errno, "reading", path);
  const absl::Cleanup close_file = [file] { close(file); };
  struct stat status;
  if (fstat(file, &status) != 0) return ErrnoStatus(errno, "reading", path);
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
    const ssize_t got = read(file, bytes.data() + filled, bytes.size() - filled);
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
  absl::StatusOr<AtomicFile> file = AtomicFile::Create(path);
  if (!file.ok()) return file.status();
  for (const std::string_view piece : pieces) file->Append(piece);
  return file->Commit(mode);
}

}  // namespace assay::tensor_files
