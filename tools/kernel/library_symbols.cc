#include "tools/kernel/library_symbols.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <gnu/lib-names.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "benchmarks/harness/processes/child_process.h"

namespace assay::kernel {
namespace {

// As readelf names it.
#if defined(__x86_64__)
constexpr std::string_view kMachine = "Advanced Micro Devices X86-64";
#elif defined(__aarch64__)
constexpr std::string_view kMachine = "AArch64";
#else
#error "say here how readelf names this machine"
#endif

constexpr size_t kNamed = 5;                       // symbols in one message
constexpr int64_t kMostText = int64_t{256} << 20;  // that binutils say
// operator new and delete, and the clocks of <chrono>.
constexpr std::string_view kOfCpp[] = {"_Zna", "_Znw", "_Zda", "_Zdl", "_ZNSt6chrono"};
// Followed by a capital letter.
constexpr std::string_view kOfCuda[] = {"__cuda",   "cu",    "cublas", "cublasLt", "cuda",
                                        "cudnn",    "cufft", "cupti",  "curand",   "cusolver",
                                        "cusparse", "nccl",  "nvml",   "nvrtc"};
// Each object of `nvcc -rdc=true` has one.
constexpr std::string_view kOfNvcc = "__cudaRegisterLinkedBinary";
// Namespaces, and the C functions of the stable ABI.
constexpr std::string_view kOfTorch[] = {"_ZN2at",      "_ZNK2at",    "_ZN3c10",    "_ZNK3c10",
                                         "_ZN5torch",   "_ZNK5torch", "_ZN6caffe2", "_ZNK6caffe2",
                                         "aoti_torch_", "torch_"};
constexpr std::string_view kGpuCode = "] .nv_fatbin ";  // the section of nvcc
constexpr std::string_view kTvmFfi = "__tvm_ffi_";
// What TORCH_LIBRARY and STABLE_TORCH_LIBRARY call.
constexpr std::string_view kTorchLibrary = "_ZN5torch7LibraryC";
constexpr std::string_view kStableLibrary = "aoti_torch_library_";

bool BeginsWithOneOf(std::string_view name, absl::Span<const std::string_view> beginnings) {
  return absl::c_any_of(beginnings,
                        [name](std::string_view with) { return absl::StartsWith(name, with); });
}

bool IsOfCuda(std::string_view name) {
  return !absl::StartsWith(name, kOfNvcc) && absl::c_any_of(kOfCuda, [name](std::string_view with) {
    return absl::StartsWith(name, with) && name.size() > with.size() &&
           absl::ascii_isupper(name[with.size()]);
  });
}

bool IsOfC(const std::string& name) {
  static void* const library = dlopen(LIBM_SO, RTLD_LAZY);  // and the C library, which it needs
  return library != nullptr && dlsym(library, name.c_str()) != nullptr;
}

std::string Demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 ? std::string(text.get()) : name;
}

// A program of binutils reads a file, in a process of its own, which a file that was made to harm may end.
absl::StatusOr<std::string> Said(std::vector<std::string> words) {
  const std::string program = words.front(), file = words.back();
  const absl::StatusOr<processes::ChildEnd> end =
      processes::RunChild({.arguments = std::move(words),
                           .environment = {"LC_ALL=C"},
                           .timeout = absl::Minutes(1),
                           .keep_bytes = kMostText,
                           .limits = {.data_bytes = int64_t{4} << 30}},
                          nullptr);
  if (absl::IsNotFound(end.status()))
    return absl::UnavailableError(
        absl::StrCat(program, " is missing, which reads libraries (Debian: the package binutils)"));
  if (!end.ok()) return end.status();
  if (end->Exited(0) && end->output.size() < kMostText) return end->output;
  const std::vector<std::string> lines = absl::StrSplit(end->errors, '\n');
  return absl::InvalidArgumentError(
      absl::StrCat(file, " is no shared library: ",
                   end->Exited(1) ? lines.front() : absl::StrCat(program, ": ", Describe(*end))));
}

// Names that LibTorch's own libraries define.
absl::StatusOr<std::unordered_set<std::string>> TorchNames(
    const std::vector<std::string>& libraries) {
  std::unordered_set<std::string> names;
  for (const std::string& library : libraries) {
    const absl::StatusOr<std::string> said =
        Said({"nm", "--dynamic", "--defined-only", "--no-sort", "--format=just-symbols", library});
    if (!said.ok()) return said.status();
    for (const std::string_view name : absl::StrSplit(*said, '\n')) names.emplace(name);
  }
  return names;
}

// A line of readelf's table, "5: 00000000000008a6    21 FUNC    GLOBAL DEFAULT   12 clock_gettime".
struct Symbol {
  std::string name;
  bool defined = false;  // false: another library has to define it
  bool strong = false;   // false: the loader may take another definition, as of inline functions
  bool function = false;
};

bool ParseSymbol(std::string_view line, Symbol& symbol) {
  const std::vector<std::string_view> words = absl::StrSplit(line, ' ', absl::SkipEmpty());
  if (words.size() < 8 || !absl::EndsWith(words[0], ":")) return false;
  const size_t index = absl::StartsWith(words[6], "[") ? 7 : 6;  // behind a note of some CPUs
  if (words.size() <= index + 1 || words[4] == "LOCAL") return false;
  symbol = {.name = std::string(words[index + 1].substr(0, words[index + 1].find('@'))),
            .defined = words[index] != "UND",
            .strong = words[4] == "GLOBAL",
            .function = words[3] == "FUNC" || words[3] == "IFUNC"};
  return words[5] != "HIDDEN" && words[5] != "INTERNAL";
}

class Reading {
 public:
  explicit Reading(const std::vector<std::string>& torch_libraries)
      : torch_libraries_(torch_libraries) {}

  absl::Status Add(const Symbol& symbol) {
    if (!symbol.defined) {
      symbols_.uses_torch_library |= absl::StartsWith(symbol.name, kTorchLibrary);
      symbols_.uses_stable_abi |= absl::StartsWith(symbol.name, kStableLibrary);
      return absl::OkStatus();
    }
    // Names that go on with "_" say something of a function.
    if (symbol.function && absl::StartsWith(symbol.name, kTvmFfi) &&
        !absl::StartsWith(symbol.name.substr(kTvmFfi.size()), "_"))
      symbols_.tvm_ffi_functions.push_back(symbol.name.substr(kTvmFfi.size()));
    const absl::StatusOr<std::string_view> owner = OwnerOf(symbol);
    if (!owner.ok()) return owner.status();
    if (!owner->empty())
      shadowing_.push_back(
          absl::StrCat(Demangled(symbol.name), ", which ", *owner, " defines, too"));
    return absl::OkStatus();
  }

  void AddGpuCode() { symbols_.has_gpu_code = true; }

  absl::StatusOr<LibrarySymbols> Take(const std::string& path) {
    if (shadowing_.empty()) return std::move(symbols_);
    const size_t more = shadowing_.size() - std::min(shadowing_.size(), kNamed);
    shadowing_.resize(shadowing_.size() - more);
    return absl::PermissionDeniedError(absl::StrCat(
        path, " defines ", absl::StrJoin(shadowing_, "; "),
        more > 0 ? absl::StrCat("; and ", more, " more such") : "",
        ": it can answer in their place, so what it is measured by would be its own. Rename them, "
        "make them static, or hide them (-fvisibility=hidden; of a static library "
        "-Wl,--exclude-libs,ALL)"));
  }

 private:
  // Whose the symbol is besides; empty: nobody's.
  absl::StatusOr<std::string_view> OwnerOf(const Symbol& symbol) {
    if (symbol.function && IsOfC(symbol.name)) return "the C library";
    if (symbol.strong && BeginsWithOneOf(symbol.name, kOfCpp)) return "the C++ library";
    if (IsOfCuda(symbol.name)) return "CUDA";
    if (!symbol.strong || !BeginsWithOneOf(symbol.name, kOfTorch)) return "";
    if (torch_names_.empty()) {
      absl::StatusOr<std::unordered_set<std::string>> names = TorchNames(torch_libraries_);
      if (!names.ok()) return names.status();
      torch_names_ = *std::move(names);
    }
    return torch_names_.count(symbol.name) > 0 ? "LibTorch" : "";
  }

  const std::vector<std::string>& torch_libraries_;
  std::unordered_set<std::string> torch_names_;
  LibrarySymbols symbols_;
  std::vector<std::string> shadowing_;
};

}  // namespace

absl::StatusOr<LibrarySymbols> ReadLibrarySymbols(const std::string& path,
                                                  const std::vector<std::string>& torch_libraries) {
  // By the dynamic segment, as the loader does.
  const absl::StatusOr<std::string> said = Said(
      {"readelf", "--wide", "--file-header", "--section-headers", "--use-dynamic", "--syms", path});
  if (!said.ok()) return said.status();
  Reading reading(torch_libraries);
  Symbol symbol;
  for (std::string_view line : absl::StrSplit(*said, '\n')) {
    if (ParseSymbol(line, symbol)) {
      if (absl::Status added = reading.Add(symbol); !added.ok()) return added;
    } else if (absl::StrContains(line, kGpuCode)) {
      reading.AddGpuCode();
    } else if (absl::ConsumePrefix(&line, "  Machine:")) {
      line = absl::StripAsciiWhitespace(line);
      if (line != kMachine)
        return absl::InvalidArgumentError(absl::StrCat(path, " is built for another CPU: ", line,
                                                       ", and this machine has ", kMachine));
    }
  }
  return reading.Take(path);
}

std::string LoadErrorText(const std::string& error) {
  constexpr std::string_view kUndefined = "undefined symbol: ";
  const size_t at = error.find(kUndefined);
  if (at == std::string::npos) return error;
  const std::string name = error.substr(at + kUndefined.size());
  if (!BeginsWithOneOf(name, kOfTorch))
    return absl::StrCat(
        "cannot be loaded: it uses ", Demangled(name),
        ", which neither it nor LibTorch defines; define it in the source, or link the library "
        "that has it");
  return absl::StrCat("it was built for another LibTorch: the one here does not define ",
                      Demangled(name), "; give its source instead, or build it with this LibTorch");
}

}  // namespace assay::kernel
