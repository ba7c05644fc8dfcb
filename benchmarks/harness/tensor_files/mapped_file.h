#ifndef ASSAY_BENCHMARKS_HARNESS_TENSOR_FILES_MAPPED_FILE_H_
#define ASSAY_BENCHMARKS_HARNESS_TENSOR_FILES_MAPPED_FILE_H_

// ---------------------------------------------------------------------------------------------
// mapped_file.h: a file's bytes as memory, without reading them: checkpoints of any size.
//
// Opening costs the same for a kilobyte and a terabyte; pages are read when they are used and
// belong to the system's file cache, not to this process. The mapping is private: a write into it
// changes this process's copy of that page and never the file.
//
// A file that another process shortens or overwrites while it is mapped changes under the reader:
// bytes behind its new end are gone, and touching them ends the process with SIGBUS. Checkpoints
// are published by renaming, which is safe (the old file lives on until it is unmapped).
//
// Not for: bytes whose digest is checked before they are believed (file_bytes.h copies them, so
// that the bytes that were hashed are the bytes that are parsed).
//
// Example:
//   absl::StatusOr<std::shared_ptr<const MappedFile>> file = MappedFile::Open(path);
//   absl::StatusOr<SafetensorsIndex> index = ParseSafetensors((*file)->bytes());
// ---------------------------------------------------------------------------------------------

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace assay::tensor_files {

class MappedFile {
 public:
  // Follows symbolic links. NotFound where there is no file; FailedPrecondition where it is a
  // folder, pipe or device; PermissionDenied, ResourceExhausted (no address space), Unavailable
  // otherwise. An empty file is no bytes.
  static absl::StatusOr<std::shared_ptr<const MappedFile>> Open(const std::string& path);

  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  const std::string& path() const { return path_; }

  // Begins at a page, so that what is aligned in the file is aligned in memory.
  std::string_view bytes() const { return {data_, size_}; }

  // Releases the memory of the whole pages in [begin, end); they are read again when they are used,
  // and this process's writes to them are lost. For a reader that is done with a part of a large
  // file.
  void Release(size_t begin, size_t end) const;

 private:
  MappedFile(std::string path, char* data, size_t size);

  const std::string path_;
  char* const data_;  // nullptr where the file is empty
  const size_t size_;
};

}  // namespace assay::tensor_files

#endif  // ASSAY_BENCHMARKS_HARNESS_TENSOR_FILES_MAPPED_FILE_H_
