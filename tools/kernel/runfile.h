// -----------------------------------------------------------------------------
// File: runfile.h
// -----------------------------------------------------------------------------
//
// The path of a file that was built with this program: below its runfiles, or those of the test or script that
// started it.
//
//   absl::StatusOr<std::string> line = FindRunfile("tools/kernel/compile_line.txt");

#ifndef ASSAY_TOOLS_KERNEL_RUNFILE_H_
#define ASSAY_TOOLS_KERNEL_RUNFILE_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace assay::kernel {

// Absolute, whatever the working directory is now. NotFound for a program that has no such runfile, with the
// command that starts it.
absl::StatusOr<std::string> FindRunfile(std::string_view name);

}  // namespace assay::kernel

#endif  // ASSAY_TOOLS_KERNEL_RUNFILE_H_
