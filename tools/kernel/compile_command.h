// -----------------------------------------------------------------------------
// File: compile_command.h
// -----------------------------------------------------------------------------
//
// The commands that make a shared library of a user's source file, as this tree's build would make it: read
// from the file of //tools/kernel:compile_line (defs/build/compile_line.bzl).
//
// Not for running them: library_build.h.
//
//   absl::StatusOr<std::string> path = FindCompileLine();
//   absl::StatusOr<CompileLine> line = ReadCompileLine(*path);
//   CompileWords(*line, {.source = "mine.cc", .object = "/tmp/mine.o", .dependencies = "/tmp/mine.d"});

#ifndef ASSAY_TOOLS_KERNEL_COMPILE_COMMAND_H_
#define ASSAY_TOOLS_KERNEL_COMPILE_COMMAND_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace assay::kernel {

struct CompileLine {
  std::string compiler = {};                         // paths are absolute
  std::vector<std::string> compile = {}, link = {};  // flags
  std::vector<std::string> includes = {};            // folders of headers
  std::string header = {};                           // a precompiled one; empty: there is none
  std::string version_header = {};  // its text changes with LibTorch's version; empty: none
  std::vector<std::string> torch_libraries = {};
  // In which a TVM-FFI library finds its symbols: dlopen() it before, with RTLD_GLOBAL. Empty: there is none.
  std::string tvm_ffi_library = {};
  std::string nvcc = {};     // empty: there is none, and
  std::string no_nvcc = {};  // this says what is missing
  std::vector<std::string> nvcc_compile = {}, nvcc_link = {};
};

// The file's path in this program's runfiles, whatever the working directory is now. NotFound for a program
// that has no such runfiles, with the command that starts it.
absl::StatusOr<std::string> FindCompileLine();

// NotFound where there is no such file, DataLoss where it lacks something.
absl::StatusOr<CompileLine> ReadCompileLine(const std::string& path);

enum class SourceKind { kCpp, kCuda };

// By the end of its name; InvalidArgument for another one, naming those that can be compiled.
absl::StatusOr<SourceKind> KindOfSource(std::string_view path);

// One compilation of one source.
struct Compilation {
  std::string source;
  SourceKind kind = SourceKind::kCpp;
  bool address_sanitizer = false;
  bool precompiled = false;             // begins with the line's precompiled header
  std::vector<std::string> flags = {};  // of the user, behind the suite's
  std::string object = {};              // where to write it
  std::string dependencies = {};        // where to write the names of the headers, for make
};

// The first word is the program. Of a .cu file only where the line has nvcc.
std::vector<std::string> CompileWords(const CompileLine& line, const Compilation& what);
std::vector<std::string> LinkWords(const CompileLine& line, const Compilation& what,
                                   const std::string& library);

}  // namespace assay::kernel

#endif  // ASSAY_TOOLS_KERNEL_COMPILE_COMMAND_H_
