#ifndef ASSAY_BENCHMARKS_HARNESS_BASE_WORKING_FOLDER_H_
#define ASSAY_BENCHMARKS_HARNESS_BASE_WORKING_FOLDER_H_

// ---------------------------------------------------------------------------------------------
// working_folder.h: enters the user's folder. `bazel run` starts programs in their runfiles, but
// relative paths on the command line begin at the user's folder.
//
// Example:
//   absl::Status entered = EnterWorkingFolder();   // before the first path is read
// ---------------------------------------------------------------------------------------------

#include <unistd.h>

#include <cstdlib>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace assay::base {

// Enters the folder in which `bazel run` was typed; does nothing in a program that was started
// directly. An error names the folder.
inline absl::Status EnterWorkingFolder() {
  const char* const folder = std::getenv("BUILD_WORKING_DIRECTORY");
  if (folder == nullptr || chdir(folder) == 0) return absl::OkStatus();
  return absl::NotFoundError(absl::StrCat("cannot enter ", folder));
}

}  // namespace assay::base

#endif  // ASSAY_BENCHMARKS_HARNESS_BASE_WORKING_FOLDER_H_
