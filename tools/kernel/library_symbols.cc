#include "tools/kernel/library_symbols.h"

#include <cxxabi.h>
#include <link.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string_view>
#include <unordered_set>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace assay::kernel {
namespace {

constexpr char kCLibrary[] = "the C library", kCppLibrary[] = "the C++ library", kCuda[] = "CUDA",
               kLibTorch[] = "LibTorch";
constexpr size_t kNamed = 5;  // symbols in one message

// By which this suite reads time, takes memory, starts processes and finds functions. Refused whatever C
// library this machine has; what else its C library defines is read from it.
constexpr std::string_view kOfC[] = {"aligned_alloc",  "calloc",
                                     "clock",          "clock_getres",
                                     "clock_gettime",  "clock_nanosleep",
                                     "close",          "dl_iterate_phdr",
                                     "dladdr",         "dlclose",
                                     "dlopen",         "dlsym",
                                     "dlvsym",         "execve",
                                     "execvpe",        "exit",
                                     "_exit",          "fork",
                                     "free",           "getrusage",
                                     "gettimeofday",   "kill",
                                     "malloc",         "malloc_usable_size",
                                     "memalign",       "memcmp",
                                     "memcpy",         "memmove",
                                     "memset",         "mmap",
                                     "mprotect",       "munmap",
                                     "nanosleep",      "open",
                                     "openat",         "poll",
                                     "posix_memalign", "prctl",
                                     "pthread_create", "pthread_getcpuclockid",
                                     "pthread_join",   "ptrace",
                                     "pvalloc",        "read",
                                     "realloc",        "sched_yield",
                                     "sleep",          "syscall",
                                     "time",           "times",
                                     "timespec_get",   "usleep",
                                     "valloc",         "vfork",
                                     "wait",           "wait3",
                                     "wait4",          "waitid",
                                     "waitpid",        "write"};
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

std::string Demangled(std::string_view name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(std::string(name).c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 ? std::string(text.get()) : std::string(name);
}

// The paths of the C library's parts, as this process has loaded them.
std::vector<std::string> CLibraries() {
  std::vector<std::string> found;
  dl_iterate_phdr(
      [](dl_phdr_info* library, size_t, void* out) {
        const std::string name = std::filesystem::path(library->dlpi_name).filename();
        for (const std::string_view part : {"libc.so", "libm.so", "libpthread.so", "librt.so"}) {
          if (absl::StartsWith(name, part))
            static_cast<std::vector<std::string>*>(out)->emplace_back(library->dlpi_name);
        }
        return 0;
      },
      &found);
  return found;
}

// Names of the functions that these libraries define; a library that cannot be read defines none.
std::unordered_set<std::string> FunctionsOf(const std::vector<std::string>& libraries) {
  std::unordered_set<std::string> names;
  for (const std::string& path : libraries) {
    const absl::StatusOr<ElfFile> file = ElfFile::Open(path);
    if (!file.ok()) continue;
    file->ForEachSymbol([&names](const ElfSymbol& symbol) {
      if (symbol.defined && symbol.function) names.emplace(symbol.name);
    });
  }
  return names;
}

const std::unordered_set<std::string>& CFunctions() {
  static const auto& names = *new std::unordered_set<std::string>(FunctionsOf(CLibraries()));
  return names;
}

// Whose the symbol is besides; empty: nobody's.
std::string_view OwnerOf(const ElfSymbol& symbol, Exports libtorch_exports) {
  if (absl::c_linear_search(kOfC, symbol.name)) return kCLibrary;
  if (symbol.function && CFunctions().count(std::string(symbol.name)) > 0) return kCLibrary;
  if (symbol.strong && BeginsWithOneOf(symbol.name, kOfCpp)) return kCppLibrary;
  if (IsOfCuda(symbol.name)) return kCuda;
  if (symbol.strong && BeginsWithOneOf(symbol.name, kOfTorch) && libtorch_exports(symbol.name))
    return kLibTorch;
  return "";
}

// Among what the libraries define.
class TorchExports {
 public:
  explicit TorchExports(absl::Span<const std::string> libraries) : libraries_(libraries) {}

  bool Contains(std::string_view name) {
    for (; read_ < libraries_.size(); ++read_) Add(libraries_[read_]);
    return names_.count(std::string(name)) > 0;
  }
  // The first error of reading one of them.
  const absl::Status& status() const { return status_; }

 private:
  void Add(const std::string& path) {
    const absl::StatusOr<ElfFile> file = ElfFile::Open(path);
    status_.Update(file.status());
    if (!file.ok()) return;
    file->ForEachSymbol([this](const ElfSymbol& symbol) {
      if (symbol.defined && BeginsWithOneOf(symbol.name, kOfTorch)) names_.emplace(symbol.name);
    });
  }

  const absl::Span<const std::string> libraries_;
  size_t read_ = 0;
  std::unordered_set<std::string> names_;
  absl::Status status_;
};

std::string Sentence(const ShadowingSymbol& symbol) {
  return absl::StrCat(symbol.name, ", which ", symbol.owner, " defines, too");
}

}  // namespace

LibrarySymbols SymbolsOf(const ElfFile& file, Exports libtorch_exports) {
  LibrarySymbols result;
  result.needed = file.needed();
  result.init_functions = file.init_functions();
  file.ForEachSymbol([&](const ElfSymbol& symbol) {
    if (!symbol.defined) {
      result.imported.emplace_back(symbol.name);
      result.uses_torch_library |= absl::StartsWith(symbol.name, kTorchLibrary);
      result.uses_stable_abi |= absl::StartsWith(symbol.name, kStableLibrary);
      return;
    }
    // Names that go on with "_" say something of a function.
    if (symbol.function && absl::StartsWith(symbol.name, kTvmFfi) &&
        !absl::StartsWith(symbol.name.substr(kTvmFfi.size()), "_"))
      result.tvm_ffi_functions.emplace_back(symbol.name.substr(kTvmFfi.size()));
    if (const std::string_view owner = OwnerOf(symbol, libtorch_exports); !owner.empty())
      result.shadowing.push_back({Demangled(symbol.name), std::string(owner)});
  });
  return result;
}

absl::StatusOr<LibrarySymbols> ReadLibrarySymbols(const std::string& path,
                                                  absl::Span<const std::string> torch_libraries) {
  const absl::StatusOr<ElfFile> file = ElfFile::Open(path);
  if (!file.ok()) return file.status();
  TorchExports exports(torch_libraries);
  LibrarySymbols symbols =
      SymbolsOf(*file, [&exports](std::string_view name) { return exports.Contains(name); });
  if (!exports.status().ok()) return exports.status();
  return symbols;
}

absl::StatusOr<std::vector<std::string>> MissingFromLibTorch(
    const LibrarySymbols& symbols, absl::Span<const std::string> torch_libraries) {
  TorchExports exports(torch_libraries);
  std::vector<std::string> missing;
  for (const std::string& name : symbols.imported) {
    if (BeginsWithOneOf(name, kOfTorch) && !exports.Contains(name))
      missing.push_back(Demangled(name));
  }
  if (!exports.status().ok()) return exports.status();
  return missing;
}

absl::Status CheckLibrary(const std::string& path, absl::Span<const std::string> torch_libraries) {
  const absl::StatusOr<LibrarySymbols> symbols = ReadLibrarySymbols(path, torch_libraries);
  if (!symbols.ok()) return symbols.status();
  if (symbols->shadowing.empty()) return absl::OkStatus();
  std::vector<std::string> sentences;
  for (const ShadowingSymbol& symbol : symbols->shadowing) {
    if (sentences.size() < kNamed) sentences.push_back(Sentence(symbol));
  }
  const size_t more = symbols->shadowing.size() - sentences.size();
  return absl::PermissionDeniedError(
      absl::StrCat(path, " defines ", absl::StrJoin(sentences, "; "),
                   more > 0 ? absl::StrCat("; and ", more, " more such") : "",
                   ": it can answer in their place, so what it is measured by would be its own. "
                   "Rename them, make "
                   "them static, or hide them (-fvisibility=hidden; of a static library "
                   "-Wl,--exclude-libs,ALL)"));
}

}  // namespace assay::kernel
