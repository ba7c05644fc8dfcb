// -----------------------------------------------------------------------------
// File: library_build.h
// -----------------------------------------------------------------------------
//
// A shared library out of one source file of a user, compiled against this tree's LibTorch with the flags of
// this tree's build, for a process that has LibTorch to load.
//
// Not for a source that needs libraries or other sources: kernel() (defs/kernel.bzl) builds those.
//
//   absl::StatusOr<std::string> library = BuildLibrary({.path = "mine.cc"}, &interrupted);
//   // ~/.cache/assay/kernels/mine-3f1c….so

#ifndef ASSAY_TOOLS_KERNEL_LIBRARY_BUILD_H_
#define ASSAY_TOOLS_KERNEL_LIBRARY_BUILD_H_

#include <atomic>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace assay::kernel {

struct LibrarySource {
  std::string path;  // .cc, .cpp, .cxx, .c++ or .cu; relative to the working directory or absolute
  // The library then ends its process with exit code 1, and says where, at a wrong access. It is loaded
  // where AddressSanitizerRuntime() was preloaded, with ASAN_OPTIONS=detect_leaks=0: LibTorch frees
  // nothing at its end.
  bool address_sanitizer = false;
  std::vector<std::string> flags = {};  // of the compiler, behind the suite's
  std::string compile_line = {};  // path of //tools/kernel:compile_line; empty: FindCompileLine()
};

// The library's path. Compiles nothing where the source, the headers that it includes with quotes, the
// flags, the compiler and LibTorch's version are as in an earlier call.
//   NotFound           there is no such source
//   InvalidArgument    it does not compile: the compiler's output as it is, without the middle where that is
//                      long; or its name ends in something else
//   Unavailable        the compiler is missing, ran out of memory or disk, or broke down; nvcc is missing; the
//                      source changed meanwhile
//   FailedPrecondition the cache folder is no safe place
//   Cancelled          *interrupted became true
absl::StatusOr<std::string> BuildLibrary(const LibrarySource& source,
                                         const std::atomic<bool>* interrupted);

// The library for LD_PRELOAD with which one with the address sanitizer can be loaded. Unavailable where the
// compiler has none.
absl::StatusOr<std::string> AddressSanitizerRuntime(const std::string& compile_line,
                                                    const std::atomic<bool>* interrupted);

// The files that a rule of make names behind its colon.
std::vector<std::string> Prerequisites(std::string_view rule);

}  // namespace assay::kernel

#endif  // ASSAY_TOOLS_KERNEL_LIBRARY_BUILD_H_
