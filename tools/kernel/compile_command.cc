#include "tools/kernel/compile_command.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <system_error>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tools/kernel/runfile.h"

namespace assay::kernel {
namespace {

namespace fs = std::filesystem;

constexpr char kLine[] = "tools/kernel/compile_line.txt";
constexpr std::string_view kCppEndings[] = {".cc", ".cpp", ".cxx", ".c++"};
constexpr std::string_view kCudaEnding = ".cu";
constexpr std::string_view kGpuEndings[] = {".cubin", ".fatbin", ".ptx",
                                            ".hsaco"};  // of Triton and nvcc

void Append(std::vector<std::string>& words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
}

}  // namespace

absl::StatusOr<std::string> FindCompileLine() { return FindRunfile(kLine); }

absl::StatusOr<CompileLine> ReadCompileLine(const std::string& path) {
  std::ifstream file(path);
  if (!file) return absl::NotFoundError(absl::StrCat("cannot read ", path));
  CompileLine line;
  std::vector<std::string> compiler, folder, header, tvm_ffi, version, nvcc, no_nvcc;
  const std::map<std::string, std::vector<std::string>*> lists = {
      {"compile", &line.compile},
      {"compiler", &compiler},
      {"folder", &folder},
      {"header", &header},
      {"include", &line.includes},
      {"library", &line.torch_libraries},
      {"link", &line.link},
      {"no_nvcc", &no_nvcc},
      {"nvcc", &nvcc},
      {"nvcc_compile", &line.nvcc_compile},
      {"nvcc_link", &line.nvcc_link},
      {"tvm_ffi", &tvm_ffi},
      {"version", &version}};
  for (std::string text; std::getline(file, text);) {
    const size_t space = text.find(' ');
    const auto list = lists.find(text.substr(0, space));
    if (list == lists.end() || space == std::string::npos)
      return absl::DataLossError(
          absl::StrCat(path, ": unknown line \"", text, "\"; build it again"));
    list->second->push_back(text.substr(space + 1));
  }
  if (compiler.empty() || folder.empty())
    return absl::DataLossError(absl::StrCat(path, " names no compiler or folder; build it again"));

  fs::path root = fs::path(path).parent_path();
  for ([[maybe_unused]] const fs::path& part : fs::path(folder[0])) root = root.parent_path();
  // Runfiles are links, and each program has its own: the real paths are the same for all. A compiler stays a link, since
  // one that stands for others (ccache) goes by its own name.
  const auto absolute = [&root](std::string& name) {
    std::error_code error;
    if (!name.empty()) name = fs::weakly_canonical(root / name, error).string();
  };
  const auto first = [](const std::vector<std::string>& words) {
    return words.empty() ? "" : words[0];
  };
  line.compiler = first(compiler);
  line.header = first(header);
  line.version_header = first(version);
  line.nvcc = first(nvcc);
  line.no_nvcc = first(no_nvcc);
  line.compiler = (root / line.compiler).string();
  line.tvm_ffi_library = first(tvm_ffi);
  absolute(line.header);
  absolute(line.tvm_ffi_library);
  absl::c_for_each(line.includes, absolute);
  absl::c_for_each(line.torch_libraries, absolute);
  return line;
}

absl::StatusOr<SourceKind> KindOfSource(std::string_view path) {
  const std::string ending = fs::path(path).extension().string();
  if (ending == kCudaEnding) return SourceKind::kCuda;
  if (absl::c_linear_search(kCppEndings, ending)) return SourceKind::kCpp;
  if (absl::c_linear_search(kGpuEndings, ending))
    return absl::InvalidArgumentError(
        absl::StrCat(path,
                     ": code of a GPU alone cannot be called: neither this file nor Triton's JSON "
                     "says how many blocks to launch, and "
                     "what each argument is. Give a source whose operator launches it"));
  return absl::InvalidArgumentError(absl::StrCat(path, ": a source ends in ",
                                                 absl::StrJoin(kCppEndings, ", "), " or ",
                                                 kCudaEnding, ", a library in .so"));
}

std::vector<std::string> CompileWords(const CompileLine& line, const Compilation& what) {
  const bool cuda = what.kind == SourceKind::kCuda;
  std::vector<std::string> words = {cuda ? line.nvcc : line.compiler};
  Append(words, cuda ? line.nvcc_compile : line.compile);
  for (const std::string& folder : line.includes) Append(words, {"-isystem", folder});
  if (what.precompiled && !cuda && !line.header.empty()) Append(words, {"-include", line.header});
  if (!cuda) words.push_back("-fmax-errors=20");
  // Its reports need lines and the names of functions, which is all that -g1 writes. -g takes half as long again.
  if (what.address_sanitizer && !cuda)
    Append(words, {"-fsanitize=address", "-fno-omit-frame-pointer", "-g1", "-O1"});
  Append(words, what.flags);
  if (!what.dependencies.empty()) Append(words, {"-MMD", "-MF", what.dependencies});
  Append(words, {"-c", what.source, "-o", what.object});
  return words;
}

std::vector<std::string> LinkWords(const CompileLine& line, const Compilation& what,
                                   const std::string& library) {
  std::vector<std::string> words = {line.compiler, what.object, "-o", library};
  Append(words, line.link);
  if (what.kind == SourceKind::kCuda) Append(words, line.nvcc_link);
  if (what.address_sanitizer) words.push_back("-fsanitize=address");
  return words;
}

}  // namespace assay::kernel
