#include "tools/kernel/library_build.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "benchmarks/harness/base/sha256.h"
#include "benchmarks/harness/processes/child_process.h"
#include "tools/kernel/compile_command.h"
#include "tools/kernel/library_cache.h"

namespace assay::kernel {
namespace {

namespace fs = std::filesystem;
using processes::ChildEnd;

constexpr absl::Duration kLongest = absl::Minutes(30);
constexpr int64_t kKeptBytes = 4 << 20;
// The first error of a compiler's output is the cause of most that follow.
constexpr size_t kFirstLines = 120, kLastLines = 20;
// By which a compiler finds headers and its own programs.
constexpr const char* kVariables[] = {"COMPILER_PATH", "CPATH", "CPLUS_INCLUDE_PATH",
                                      "GCC_EXEC_PREFIX", "LIBRARY_PATH"};
// What GCC, its parts and the linker say where they cannot work, whatever the source.
constexpr std::string_view kFaults[] = {
    "Cannot allocate memory",  "Killed signal terminated program", "No space left on device",
    "cannot execute",          "internal compiler error",          "out of memory allocating",
    "virtual memory exhausted"};

std::optional<std::string> TextOf(const fs::path& path) {
  std::error_code error;
  std::ifstream file(path, std::ios::binary);
  if (!file || !fs::is_regular_file(path, error)) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// The first and last lines of it.
std::string Shortened(std::string_view output) {
  std::vector<std::string_view> lines = absl::StrSplit(output, '\n');
  if (lines.size() <= kFirstLines + kLastLines) return std::string(output);
  const size_t left_out = lines.size() - kFirstLines - kLastLines;
  const auto first = lines.begin(), last = lines.end();
  return absl::StrCat(absl::StrJoin(first, first + kFirstLines, "\n"), "\n... ", left_out,
                      " lines left out ...\n", absl::StrJoin(last - kLastLines, last, "\n"));
}

// A line in which the compiler says that it cannot work; empty: none. Not a line of the source that it quotes, "   12 | throw ...".
std::string_view FaultIn(std::string_view output) {
  for (const std::string_view line : absl::StrSplit(output, '\n')) {
    const size_t bar = line.find(" | ");
    const bool quoted =
        bar != std::string_view::npos && line.find_first_not_of(" 0123456789") == bar + 1;
    for (const std::string_view fault : kFaults) {
      if (!quoted && absl::StrContains(line, fault)) return line;
    }
  }
  return "";
}

absl::Status ErrorOf(const ChildEnd& end, const std::string& program, const std::string& source) {
  if (end.ending == processes::Ending::kInterrupted) return absl::CancelledError("interrupted");
  if (end.ending != processes::Ending::kExited) {
    return absl::UnavailableError(
        absl::StrCat("compiling ", source, ": ", program, ": ", Describe(end)));
  }
  const std::string output = absl::StrCat(end.output, end.errors);
  if (const std::string_view fault = FaultIn(output); !fault.empty()) {
    return absl::UnavailableError(
        absl::StrCat("compiling ", source, ": ", program, " could not work: ", fault));
  }
  return absl::InvalidArgumentError(
      absl::StrCat(source, " does not compile:\n", Shortened(output)));
}

// Runs one program of the compiler to its end.
absl::StatusOr<ChildEnd> Run(std::vector<std::string> words, const std::string& scratch,
                             const std::atomic<bool>* interrupted) {
  processes::ChildCommand command;
  command.arguments = std::move(words);
  // Messages in English, which FaultIn() knows. What the compiler writes meanwhile goes with the folder.
  command.environment = {"LC_ALL=C"};
  if (!scratch.empty()) command.environment.push_back("TMPDIR=" + scratch);
  command.timeout = kLongest;
  command.keep_bytes = kKeptBytes;
  absl::StatusOr<ChildEnd> end = processes::RunChild(command, interrupted);
  if (!absl::IsNotFound(end.status())) return end;
  return absl::UnavailableError(absl::StrCat("the compiler is missing: ", end.status().message(),
                                             "; build //tools:kernel again"));
}

// The compiler's version, the flags that -march=native stands for on this machine, and LibTorch's version.
absl::StatusOr<std::string> Surroundings(const CompileLine& line, Compilation what,
                                         const std::atomic<bool>* interrupted) {
  std::string text;
  for (const char* const variable : kVariables) {
    const char* const value = std::getenv(variable);
    absl::StrAppend(&text, variable, "=", value == nullptr ? "" : value, "\n");
  }
  for (const std::string& folder :
       line.version_header.empty() ? std::vector<std::string>() : line.includes)
    absl::StrAppend(&text, TextOf(fs::path(folder) / line.version_header).value_or(""));
  what.source = what.object = "/dev/null";
  std::vector<std::string> words = {line.nvcc, "--version"};
  if (what.kind == SourceKind::kCpp) {
    words = CompileWords(line, what);
    words.insert(words.begin() + 1, {"-###", "-fsyntax-only", "-x", "c++"});
  }
  const absl::StatusOr<ChildEnd> end = Run(words, "", interrupted);
  if (!end.ok()) return end.status();
  if (end->ending == processes::Ending::kInterrupted) return absl::CancelledError("interrupted");
  if (!end->Exited(0)) {
    return absl::UnavailableError(absl::StrCat("the compiler ", words[0], " does not work: ",
                                               Describe(*end), "\n", Shortened(end->errors)));
  }
  return absl::StrCat(text, end->output, end->errors);
}

// Whether the source includes what is in the precompiled header. Of the stable ABI's headers it would change the
// version, which the source may set before it includes them.
bool IncludesLibTorch(std::string_view text) {
  return !absl::StrContains(text, "torch/csrc/stable/") &&
         (absl::StrContains(text, "<torch/") || absl::StrContains(text, "<ATen/") ||
          absl::StrContains(text, "\"torch/") || absl::StrContains(text, "\"ATen/"));
}

// The headers that the source includes with quotes, by absolute paths.
std::vector<std::string> HeadersOf(const CompileLine& line, const std::string& source,
                                   const std::string& dependencies) {
  std::vector<std::string> headers;
  std::error_code error;
  for (const std::string& file : Prerequisites(TextOf(dependencies).value_or(""))) {
    // One of many megabytes, which belongs to the flags.
    const bool precompiled = !line.header.empty() && absl::StartsWith(file, line.header);
    if (file != source && !precompiled) headers.push_back(fs::absolute(file, error).string());
  }
  return headers;
}

// Compiles and links; the library is `library`.
absl::Status Compile(const CompileLine& line, const Compilation& what, const std::string& library,
                     const std::atomic<bool>* interrupted) {
  const std::string scratch = fs::path(library).parent_path().string();
  for (std::vector<std::string> words :
       {CompileWords(line, what), LinkWords(line, what, library)}) {
    const std::string program = words[0];
    const absl::StatusOr<ChildEnd> end = Run(std::move(words), scratch, interrupted);
    if (!end.ok()) return end.status();
    if (!end->Exited(0)) return ErrorOf(*end, program, what.source);
  }
  return absl::OkStatus();
}

absl::StatusOr<CompileLine> LineOf(const std::string& given) {
  if (!given.empty()) return ReadCompileLine(given);
  const absl::StatusOr<std::string> found = FindCompileLine();
  return found.ok() ? ReadCompileLine(*found) : found.status();
}

}  // namespace

std::vector<std::string> Prerequisites(std::string_view rule) {
  std::vector<std::string> files;
  const size_t colon = rule.find(": ");
  if (colon == std::string_view::npos) return files;
  std::string name;
  const auto end_name = [&] {
    if (!name.empty()) files.push_back(std::exchange(name, ""));
  };
  for (size_t i = colon + 1; i < rule.size(); ++i) {
    const char c = rule[i], next = i + 1 < rule.size() ? rule[i + 1] : '\0';
    const bool escape =
        (c == '\\' && (next == ' ' || next == '#' || next == '\\')) || (c == '$' && next == '$');
    if (c == '\\' && next == '\n') {
      end_name();
      ++i;
    } else if (escape) {
      name += next;
      ++i;
    } else if (c == ' ' || c == '\n') {
      end_name();
    } else {
      name += c;
    }
  }
  end_name();
  return files;
}

absl::StatusOr<std::string> BuildLibrary(const LibrarySource& source,
                                         const std::atomic<bool>* interrupted) {
  const absl::StatusOr<SourceKind> kind = KindOfSource(source.path);
  if (!kind.ok()) return kind.status();
  const std::optional<std::string> text = TextOf(source.path);
  if (!text.has_value()) return absl::NotFoundError(absl::StrCat("there is no file ", source.path));
  const absl::StatusOr<CompileLine> line = LineOf(source.compile_line);
  if (!line.ok()) return line.status();
  if (*kind == SourceKind::kCuda && line->nvcc.empty())
    return absl::UnavailableError(absl::StrCat(source.path, ": ", line->no_nvcc));
  const absl::StatusOr<LibraryCache> cache = LibraryCache::Open();
  if (!cache.ok()) return cache.status();

  Compilation what = {.source = source.path,
                      .kind = *kind,
                      .address_sanitizer = source.address_sanitizer,
                      .precompiled = !source.address_sanitizer && IncludesLibTorch(*text),
                      .flags = source.flags};
  const absl::StatusOr<std::string> surroundings = Surroundings(*line, what, interrupted);
  if (!surroundings.ok()) return surroundings.status();
  std::error_code error;
  Compilation keyed = what;
  keyed.source = fs::absolute(source.path, error).string();
  const std::string key = base::Sha256Hex(absl::StrCat(
      absl::StrJoin(CompileWords(*line, keyed), "\n"), "\n",
      absl::StrJoin(LinkWords(*line, keyed, ""), "\n"), "\n", *surroundings, "\n", *text));
  if (std::string library = cache->Find(key); !library.empty()) return library;

  const absl::StatusOr<std::string> scratch = cache->MakeScratch();
  if (!scratch.ok()) return scratch.status();
  const absl::Cleanup remove = [&scratch, &error] { fs::remove_all(*scratch, error); };
  what.object = *scratch + "/library.o";
  what.dependencies = *scratch + "/library.d";
  const std::string library = *scratch + "/library.so";
  const absl::Status compiled = Compile(*line, what, library, interrupted);
  if (!compiled.ok()) return compiled;
  if (TextOf(source.path) != text) {
    return absl::UnavailableError(
        absl::StrCat(source.path, " changed while it was compiled; run this again"));
  }
  return cache->Store(key, fs::path(source.path).stem().string(), library,
                      HeadersOf(*line, source.path, what.dependencies));
}

absl::StatusOr<std::string> AddressSanitizerRuntime(const std::string& compile_line,
                                                    const std::atomic<bool>* interrupted) {
  const absl::StatusOr<CompileLine> line = LineOf(compile_line);
  if (!line.ok()) return line.status();
  const absl::StatusOr<ChildEnd> end =
      Run({line->compiler, "-print-file-name=libasan.so"}, "", interrupted);
  if (!end.ok()) return end.status();
  std::error_code error;
  const fs::path named(absl::StripAsciiWhitespace(end->output));
  // A compiler that does not find the file prints its name alone.
  const fs::path library = named.is_absolute() ? fs::canonical(named, error) : fs::path();
  if (end->Exited(0) && !error && !library.empty()) return library.string();
  return absl::UnavailableError(
      absl::StrCat(line->compiler,
                   " has no address sanitizer: there is no libasan.so (Debian: the package "
                   "libgcc-12-dev or another version of it)"));
}

}  // namespace assay::kernel
