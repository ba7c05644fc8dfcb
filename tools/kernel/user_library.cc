#include "tools/kernel/user_library.h"

#include <filesystem>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "tools/kernel/compile_command.h"
#include "tools/kernel/library_build.h"
#include "tools/kernel/library_symbols.h"

namespace assay::kernel {
bool IsLibrary(const std::string& path) {
  return absl::EndsWith(path, ".so") || absl::StrContains(path, ".so.");
}

absl::StatusOr<std::string> LibraryOf(const std::string& file,
                                      const std::atomic<bool>* interrupted) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error))
    return absl::InvalidArgumentError(absl::StrCat(file, ": it is a folder; give a file in it"));
  if (!std::filesystem::is_regular_file(file, error))
    return absl::NotFoundError(absl::StrCat(file, ": there is no such file"));
  if (IsLibrary(file)) return std::filesystem::absolute(file).string();
  if (const absl::StatusOr<SourceKind> kind = KindOfSource(file); !kind.ok()) return kind.status();
  absl::StatusOr<std::string> built = BuildLibrary({.path = file}, interrupted);
  if (absl::IsInvalidArgument(built.status())) return absl::AbortedError(built.status().message());
  return built;
}

absl::Status CheckUserLibrary(const std::string& library, KernelPlan& plan) {
  CompileLine line;
  if (const absl::StatusOr<std::string> path = FindCompileLine(); path.ok()) {
    if (absl::StatusOr<CompileLine> read = ReadCompileLine(*path); read.ok())
      line = *std::move(read);
  }
  const absl::StatusOr<LibrarySymbols> symbols = ReadLibrarySymbols(library, line.torch_libraries);
  if (!symbols.ok()) return symbols.status();
  plan.set_has_gpu_code(symbols->has_gpu_code);
  if (symbols->uses_torch_library || symbols->uses_stable_abi) return absl::OkStatus();
  for (const std::string& name : symbols->tvm_ffi_functions) plan.add_tvm_ffi_functions(name);
  plan.set_tvm_ffi_runtime(line.tvm_ffi_library);
  return absl::OkStatus();
}

}  // namespace assay::kernel
