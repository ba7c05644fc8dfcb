// -----------------------------------------------------------------------------
// File: user_library.h
// -----------------------------------------------------------------------------
//
// From a user's file, a source or a library, to a library that may be loaded.
//
//   absl::StatusOr<std::string> library = LibraryOf("mine.cc", &interrupted);
//   absl::Status fits = CheckUserLibrary(*library, plan);

#ifndef ASSAY_TOOLS_KERNEL_USER_LIBRARY_H_
#define ASSAY_TOOLS_KERNEL_USER_LIBRARY_H_

#include <atomic>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/operators/kernel/kernel.pb.h"

namespace assay::kernel {

// Whether a file is a library by its name, and not a source.
bool IsLibrary(const std::string& path);

// The absolute path of the library; a source is compiled. Aborted for a source that does not compile, NotFound for a
// file that does not exist, InvalidArgument for a folder, else errors of BuildLibrary().
absl::StatusOr<std::string> LibraryOf(const std::string& file,
                                      const std::atomic<bool>* interrupted);

// Looks at the file before anything of it runs. PermissionDenied as of CheckLibrary(); FailedPrecondition for a library
// that was built for another LibTorch, or that wants what is not here. The plan says whether it is a
// TVM-FFI library.
absl::Status CheckUserLibrary(const std::string& library, KernelPlan& plan);

}  // namespace assay::kernel

#endif  // ASSAY_TOOLS_KERNEL_USER_LIBRARY_H_
