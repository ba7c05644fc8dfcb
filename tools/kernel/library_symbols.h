// -----------------------------------------------------------------------------
// File: library_symbols.h
// -----------------------------------------------------------------------------
//
// Whether a user's library defines what the process that measures it asks others for: clocks, memory,
// CUDA, LibTorch. Such a definition can answer in their place, and then the time or the verdict is
// the library's own. It is told by name, before anything of the library runs.
//
// Not a proof that a library is honest: its constructor can change this process's memory. For that
// another process watches (docs/kernels.md).
//
//   absl::Status honest = CheckLibrary("libmine.so", {"libtorch_cpu.so", "libc10.so"});
//   // "libmine.so defines clock_gettime, which the C library defines, too: ..."

#ifndef ASSAY_TOOLS_KERNEL_LIBRARY_SYMBOLS_H_
#define ASSAY_TOOLS_KERNEL_LIBRARY_SYMBOLS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tools/kernel/elf_file.h"

namespace assay::kernel {

// A symbol that somebody else defines, too.
struct ShadowingSymbol {
  std::string name;   // as a person reads it: "at::relu(at::Tensor const&)"
  std::string owner;  // "the C library", "CUDA", "LibTorch"
};

struct LibrarySymbols {
  std::vector<ShadowingSymbol> shadowing;
  std::vector<std::string> needed;    // libraries that are loaded with it
  std::vector<std::string> imported;  // what it asks others for, mangled
  // X of each function __tvm_ffi_X that it defines: the functions of a TVM-FFI library.
  std::vector<std::string> tvm_ffi_functions;
  bool uses_torch_library = false;  // it registers by TORCH_LIBRARY
  bool uses_stable_abi = false;     // it registers by STABLE_TORCH_LIBRARY
  int64_t init_functions = 0;       // as of ElfFile
};

// Whether LibTorch's own libraries define a name; a mangled one.
using Exports = absl::FunctionRef<bool(std::string_view)>;

// The file is open. A symbol of LibTorch's namespaces counts where it is strong and
// `libtorch_exports` it: every library that includes LibTorch's headers defines their inline functions, all
// of them weak. Any definition of a function of the C library or of CUDA counts.
LibrarySymbols SymbolsOf(const ElfFile& file, Exports libtorch_exports);

// The same of a path. `torch_libraries`: paths of LibTorch's own, which are read only where the library
// defines a strong symbol in LibTorch's namespaces. Errors as of ElfFile::Open.
absl::StatusOr<LibrarySymbols> ReadLibrarySymbols(const std::string& path,
                                                  absl::Span<const std::string> torch_libraries);

// The symbols that it asks of LibTorch, as a person reads them, and that none of these libraries defines. Where there
// are some, it was built for another LibTorch, and the loader refuses it. Takes a tenth of a second.
absl::StatusOr<std::vector<std::string>> MissingFromLibTorch(
    const LibrarySymbols& symbols, absl::Span<const std::string> torch_libraries);

// PermissionDenied, which names each shadowing symbol and whose it is, for a library that has some; errors
// as of ElfFile::Open.
absl::Status CheckLibrary(const std::string& path, absl::Span<const std::string> torch_libraries);

}  // namespace assay::kernel

#endif  // ASSAY_TOOLS_KERNEL_LIBRARY_SYMBOLS_H_
