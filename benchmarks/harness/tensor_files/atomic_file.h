#ifndef ASSAY_BENCHMARKS_HARNESS_TENSOR_FILES_ATOMIC_FILE_H_
#define ASSAY_BENCHMARKS_HARNESS_TENSOR_FILES_ATOMIC_FILE_H_

// ---------------------------------------------------------------------------------------------
// atomic_file.h: a file that is written piece by piece and gets its name when it is whole.
//
// Example:
//   absl::StatusOr<AtomicFile> file = AtomicFile::Create("trace.json");
//   file->Append("{");                             // the first error is kept for Commit()
//   absl::Status written = file->Commit();
// ---------------------------------------------------------------------------------------------

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace assay::tensor_files {

// "<doing> <path>: <why>". ResourceExhausted where the disk is full.
absl::Status ErrnoStatus(int error, std::string_view doing, const std::string& path);

class AtomicFile {
 public:
  // Makes a temporary file beside `path`.
  static absl::StatusOr<AtomicFile> Create(const std::string& path);
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  // Removes the temporary file if Commit() has not named it.
  ~AtomicFile();

  void Append(std::string_view content);

  // Makes the content durable, then renames the file to `path`; replaces an existing one. `mode`: its
  // permissions; absent: those that any new file gets. Closed afterwards.
  absl::Status Commit(std::optional<mode_t> mode = std::nullopt);

 private:
  AtomicFile(std::string path, std::string temporary, int fd);

  std::string path_, temporary_;
  int fd_;
  int error_ = 0;  // errno of the first call that failed
};

}  // namespace assay::tensor_files

#endif  // ASSAY_BENCHMARKS_HARNESS_TENSOR_FILES_ATOMIC_FILE_H_
