#ifndef ASSAY_BENCHMARKS_HARNESS_BASE_CACHE_FOLDER_H_
#define ASSAY_BENCHMARKS_HARNESS_BASE_CACHE_FOLDER_H_

// ---------------------------------------------------------------------------------------------
// cache_folder.h: where this project keeps what it can make again.
//
// Example:
//   absl::StatusOr<std::filesystem::path> folder = CacheFolder("worktrees");
//   *folder / "worktrees";   // ~/.cache/assay/worktrees
// ---------------------------------------------------------------------------------------------

#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace assay::base {

// $XDG_CACHE_HOME/assay or ~/.cache/assay, whether it is there or not. FailedPrecondition, which says
// that a folder for `what` is wanted, where neither variable is an absolute path.
inline absl::StatusOr<std::filesystem::path> CacheFolder(std::string_view what) {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return std::filesystem::path(cache) / "assay";
  const char* const home = std::getenv("HOME");
  if (home != nullptr && *home == '/') return std::filesystem::path(home) / ".cache" / "assay";
  return absl::FailedPreconditionError(absl::StrCat(
      "neither XDG_CACHE_HOME nor HOME names a folder for ", what, "; set one of them"));
}

}  // namespace assay::base

#endif  // ASSAY_BENCHMARKS_HARNESS_BASE_CACHE_FOLDER_H_
