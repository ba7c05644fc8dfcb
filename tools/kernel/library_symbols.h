// -----------------------------------------------------------------------------
// File: library_symbols.h
// -----------------------------------------------------------------------------
//
// Reads a user's library by binutils, before anything of it runs: how it registers, and whether it defines what the process
// that measures it asks others for: clocks, memory, CUDA, LibTorch. Such a definition could answer in their place, and then
// the time or the verdict would be the library's own.
//
// Not a proof that a library is honest: its constructor can change this process's memory (docs/kernels.md).
//
//   absl::StatusOr<LibrarySymbols> symbols = ReadLibrarySymbols("libmine.so", {"libtorch_cpu.so", "libc10.so"});
//   // PermissionDenied: "libmine.so defines clock_gettime, which the C library defines, too: ..."

#ifndef ASSAY_TOOLS_KERNEL_LIBRARY_SYMBOLS_H_
#define ASSAY_TOOLS_KERNEL_LIBRARY_SYMBOLS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace assay::kernel {

struct LibrarySymbols {
  // X of each function __tvm_ffi_X that it defines: the functions of a TVM-FFI library.
  std::vector<std::string> tvm_ffi_functions;
  bool uses_torch_library = false;  // it registers by TORCH_LIBRARY
  bool uses_stable_abi = false;     // it registers by STABLE_TORCH_LIBRARY
  bool has_gpu_code = false;        // nvcc compiled a part of it
};

// `torch_libraries`: paths of LibTorch's own, which are read only where the library defines a strong symbol in
// LibTorch's namespaces: every library that includes LibTorch's headers defines their inline functions, all of them
// weak. Any definition of a function of the C library or of CUDA counts.
//   PermissionDenied  it defines such symbols, which the message names
//   InvalidArgument   it is no library for this machine
//   Unavailable       binutils are missing
absl::StatusOr<LibrarySymbols> ReadLibrarySymbols(const std::string& path,
                                                  const std::vector<std::string>& torch_libraries);

// The loader's error about a library. It says how to mend a library that wants a symbol which LibTorch does not have here.
std::string LoadErrorText(const std::string& error);

}  // namespace assay::kernel

#endif  // ASSAY_TOOLS_KERNEL_LIBRARY_SYMBOLS_H_
