// -----------------------------------------------------------------------------
// File: library_cache.h
// -----------------------------------------------------------------------------
//
// Compiled libraries in the user's cache folder, so that the same source is compiled once.
//
//   ~/.cache/assay/kernels/<key>.made         size and name of the library, then the digest and path of each header
//   ~/.cache/assay/kernels/<name>-<digest>.so
//
// A key stands for all that a library is made of but the headers that its source includes with quotes, which only the
// compiler can tell. Files are written under another name and renamed, so a library that is there is whole. Of
// many libraries those that were not used for the longest time are removed.
//
// Not for deciding what a key is of: library_build.h.
//
//   absl::StatusOr<LibraryCache> cache = LibraryCache::Open();
//   std::string library = cache->Find(key);                     // empty: compile it
//   absl::StatusOr<std::string> scratch = cache->MakeScratch();
//   library = *cache->Store(key, "softmax", *scratch + "/library.so", {"/src/row.h"});

#ifndef ASSAY_TOOLS_KERNEL_LIBRARY_CACHE_H_
#define ASSAY_TOOLS_KERNEL_LIBRARY_CACHE_H_

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace assay::kernel {

class LibraryCache {
 public:
  // Makes the folder. FailedPrecondition, with what mends it, where there is none, or where others can write to
  // it: a library is machine code that runs as the user.
  static absl::StatusOr<LibraryCache> Open();

  // `most`: libraries that are kept.
  explicit LibraryCache(std::filesystem::path folder, size_t most = 500)
      : folder_(std::move(folder)), most_(most) {}

  // The path of the key's library, where its headers are as they were; else empty.
  std::string Find(const std::string& key) const;

  // A new folder on the same disk, for what a compiler writes. Store() removes it.
  absl::StatusOr<std::string> MakeScratch() const;

  // Moves the library out of the scratch folder that it is in, and returns its path. `name` is for people.
  // `headers`: absolute paths.
  absl::StatusOr<std::string> Store(const std::string& key, const std::string& name,
                                    const std::string& library,
                                    const std::vector<std::string>& headers) const;

 private:
  void RemoveOld() const;

  std::filesystem::path folder_;
  size_t most_;
};

}  // namespace assay::kernel

#endif  // ASSAY_TOOLS_KERNEL_LIBRARY_CACHE_H_
