#ifndef ASSAY_BENCHMARKS_HARNESS_BASE_FILE_STATE_H_
#define ASSAY_BENCHMARKS_HARNESS_BASE_FILE_STATE_H_

// ---------------------------------------------------------------------------------------------
// file_state.h: numbers that change with a file's contents, for whoever remembers something of a file.
//
// A program may set a file's time of modification (rsync --inplace -t, cp -p, an image whose times
// are all 0). The kernel alone sets the time of change, so that belongs to them.
//
// Example:
//   struct stat file;
//   if (stat(path, &file) == 0) known = remembered == FileState(file);
// ---------------------------------------------------------------------------------------------

#include <sys/stat.h>

#include <array>
#include <cstdint>

namespace assay::base {

inline std::array<int64_t, 7> FileState(const struct stat& file) {
  return {static_cast<int64_t>(file.st_size),         static_cast<int64_t>(file.st_dev),
          static_cast<int64_t>(file.st_ino),          static_cast<int64_t>(file.st_mtim.tv_sec),
          static_cast<int64_t>(file.st_mtim.tv_nsec), static_cast<int64_t>(file.st_ctim.tv_sec),
          static_cast<int64_t>(file.st_ctim.tv_nsec)};
}

}  // namespace assay::base

#endif  // ASSAY_BENCHMARKS_HARNESS_BASE_FILE_STATE_H_
