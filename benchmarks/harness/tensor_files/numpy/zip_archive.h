#ifndef ASSAY_BENCHMARKS_HARNESS_TENSOR_FILES_NUMPY_ZIP_ARCHIVE_H_
#define ASSAY_BENCHMARKS_HARNESS_TENSOR_FILES_NUMPY_ZIP_ARCHIVE_H_

// ---------------------------------------------------------------------------------------------
// zip_archive.h: the members of a zip file that is in memory, as much of the format as .npz needs.
//
// zlib inflates and checks CRCs; the directory is read here. A general library (libzip, libarchive)
// would add a shared object to every runner, and tries to read damaged archives, which must be
// refused here. zlib's static library is on every machine that builds this tree (libprotobuf-dev
// needs it).
//
// Refused: encryption, methods other than stored and deflated, archives on several disks, with a
// comment, or with ZIP64 directories (more than 4 GiB); members that overlap, disagree with their
// local header, or are there twice; more than kMostZipMembers; more declared bytes than 200 times
// the file (above 16 MiB) or than kMostZipBytes. Nothing is inflated beyond its declared size, and
// nothing allocated before all of that has been checked.
//
// Not for: anything outside of the target :npz, nor for writing to disk (names are not checked).
//
// Example:
//   absl::StatusOr<std::vector<ZipMember>> members = ReadZip(bytes);
// ---------------------------------------------------------------------------------------------

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace assay::tensor_files::internal {

inline constexpr size_t kMostZipMembers = 4096;
inline constexpr uint64_t kMostZipBytes = uint64_t{1} << 32;
inline constexpr uint64_t kHarmlessZipBytes = uint64_t{1} << 24;
inline constexpr uint64_t kMostZipRatio = 200;

struct ZipMember {
  std::string name;                          // as in the file: any bytes
  std::shared_ptr<const std::string> bytes;  // inflated
};

// In the directory's order. DataLoss, "not a usable zip file: " and the problem.
absl::StatusOr<std::vector<ZipMember>> ReadZip(std::string_view file);

}  // namespace assay::tensor_files::internal

#endif  // ASSAY_BENCHMARKS_HARNESS_TENSOR_FILES_NUMPY_ZIP_ARCHIVE_H_
