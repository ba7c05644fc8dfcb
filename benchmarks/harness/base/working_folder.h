#ifndef ASSAY_BENCHMARKS_HARNESS_BASE_WORKING_FOLDER_H_
#define ASSAY_BENCHMARKS_HARNESS_BASE_WORKING_FOLDER_H_

// ---------------------------------------------------------------------------------------------
// working_folder.h: `bazel run` starts programs in their runfiles, but a person's relative paths
// mean where the person stands.
//
// Example:
//   absl::Status entered = EnterWorkingFolder();   // before the first path is read
// ---------------------------------------------------------------------------------------------

#include <unistd.h>

#include <cstdlib>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace assay::base {

// Goes to where `bazel run` was typed; nowhere for a program that was started by itself. An error
// names the folder.
inline absl::Status EnterWorkingFolder() {
  const char* const folder = std::getenv("BUILD_WORKING_DIRECTORY");
  if (folder == nullptr || chdir(folder) == 0) return absl::OkStatus();
  return absl::NotFoundError(absl::StrCat("cannot enter ", folder));
}

}  // namespace assay::base

#endif  // ASSAY_BENCHMARKS_HARNESS_BASE_WORKING_FOLDER_H_
