#ifndef ASSAY_BENCHMARKS_HARNESS_TENSOR_FILES_ZIP_ARCHIVE_H_
#define ASSAY_BENCHMARKS_HARNESS_TENSOR_FILES_ZIP_ARCHIVE_H_

// ---------------------------------------------------------------------------------------------
// zip_archive.h: the members of a zip file whose bytes are in memory, or mapped into it.
//
// zlib inflates and checks CRCs; the directory is read here. A general library (libzip, libarchive)
// would add a shared object to every runner, and tries to read damaged archives, which must be
// refused here. zlib's static library is on every machine that builds this tree (libprotobuf-dev
// needs it).
//
// Refused: encryption, methods other than stored and deflated, archives on several disks, with a
// comment, or with ZIP64 directories (more than 4 GiB); members that overlap, disagree with their
// local header, or are there twice; more than kMostZipMembers. Nothing is inflated beyond its
// declared size. A caller that keeps what it reads must limit that size itself.
//
// Not for writing to disk: names are not checked.
//
// Example:
//   absl::StatusOr<std::vector<ZipEntry>> entries = ReadZipDirectory(file);
//   ZipMemberReader reader((*entries)[0]);
//   absl::StatusOr<size_t> got = reader.Read(buffer, sizeof(buffer));
// ---------------------------------------------------------------------------------------------

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace assay::tensor_files {

inline constexpr size_t kMostZipMembers = 4096;

// One entry of the central directory. Views point into the file.
struct ZipEntry {
  std::string_view name;  // any bytes
  int flags = 0;
  int method = 0;
  uint32_t crc = 0;
  uint32_t compressed = 0;  // bytes
  uint32_t size = 0;        // bytes, inflated
  uint32_t local = 0;       // where the local header is
  std::string_view data;    // compressed
};

// In the directory's order. DataLoss, "not a usable zip file: " and the problem.
absl::StatusOr<std::vector<ZipEntry>> ReadZipDirectory(std::string_view file);

// A fault of the whole file, as ReadZipDirectory() reports it.
absl::Status ZipFault(std::string_view problem);

// The bytes of one member, from its begin to its end. The file must outlive it.
class ZipMemberReader {
 public:
  explicit ZipMemberReader(const ZipEntry& entry);
  ZipMemberReader(const ZipMemberReader&) = delete;
  ZipMemberReader& operator=(const ZipMemberReader&) = delete;
  ~ZipMemberReader();

  // The number of bytes that were written to `out`: 0 at the end. DataLoss where the data doesn't
  // inflate to the declared size, and at the last byte where the CRC differs.
  absl::StatusOr<size_t> Read(char* out, size_t most);

 private:
  bool Inflate(char* out, size_t size);

  const ZipEntry entry_;
  z_stream stream_ = {};
  uint64_t read_ = 0;
  uint32_t crc_ = 0;
};

}  // namespace assay::tensor_files

#endif  // ASSAY_BENCHMARKS_HARNESS_TENSOR_FILES_ZIP_ARCHIVE_H_
