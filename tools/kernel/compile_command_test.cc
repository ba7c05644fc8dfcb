#include "tools/kernel/compile_command.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "benchmarks/harness/tensor_files/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::kernel {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;

constexpr char kText[] =
    "folder tools/kernel\ncompiler /usr/bin/g++\ncompile -fPIC\ncompile -DX=\"a b\"\nlink -shared\n"
    "include ../libtorch/torch_include\nlibrary ../libtorch/lib/libc10.so\n"
    "tvm_ffi ../tvm_ffi/libtvm_ffi.so\nheader tools/kernel/headers.h\nversion "
    "torch/version.h\nno_nvcc nvcc is missing\n";

// The line of a file below a made-up folder of runfiles.
absl::StatusOr<CompileLine> Line(const std::string& folder, const std::string& text) {
  std::filesystem::create_directories(folder + "/assay/tools/kernel");
  const std::string path = folder + "/assay/tools/kernel/compile_line.txt";
  std::ofstream(path) << text;
  return ReadCompileLine(path);
}

TEST(ReadCompileLine, BeginsPathsAtTheRunfiles) {
  const std::string folder = std::filesystem::canonical(tensor_files::TestFolder());
  const absl::StatusOr<CompileLine> line = Line(folder, kText);
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_EQ(line->compiler, "/usr/bin/g++");
  EXPECT_THAT(line->compile, ElementsAre("-fPIC", "-DX=\"a b\""));
  EXPECT_THAT(line->includes, ElementsAre(folder + "/libtorch/torch_include"));
  EXPECT_THAT(line->torch_libraries, ElementsAre(folder + "/libtorch/lib/libc10.so"));
  EXPECT_EQ(line->header, folder + "/assay/tools/kernel/headers.h");
  EXPECT_EQ(line->tvm_ffi_library, folder + "/tvm_ffi/libtvm_ffi.so");
  EXPECT_EQ(line->nvcc, "");
  EXPECT_EQ(line->no_nvcc, "nvcc is missing");
}

TEST(ReadCompileLine, FollowsTheLinksOfRunfiles) {
  const std::string folder = std::filesystem::canonical(tensor_files::TestFolder());
  std::filesystem::create_directories(folder + "/real/torch_include");
  std::filesystem::create_symlink(folder + "/real", folder + "/libtorch");
  const absl::StatusOr<CompileLine> line = Line(folder, kText);
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_THAT(line->includes, ElementsAre(folder + "/real/torch_include"));
}

TEST(ReadCompileLine, RefusesWhatIsNoLine) {
  const std::string folder = tensor_files::TestFolder();
  EXPECT_EQ(Line(folder, "").status().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(Line(folder, "folder a\ncompiler b\nwhat else\n").status().code(),
            absl::StatusCode::kDataLoss);
  EXPECT_EQ(Line(folder, "folder a\ncompiler\n").status().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(ReadCompileLine(folder + "/missing").status().code(), absl::StatusCode::kNotFound);
}

TEST(FindCompileLine, FindsThatOfThisTest) {
  const absl::StatusOr<std::string> path = FindCompileLine();
  ASSERT_TRUE(path.ok()) << path.status();
  const absl::StatusOr<CompileLine> line = ReadCompileLine(*path);
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_THAT(line->compile, IsSupersetOf({"-fPIC", "-std=c++20", "-DNDEBUG", "-O3", "-fopenmp",
                                           "-march=native", "-DAT_PER_OPERATOR_HEADERS"}));
  EXPECT_THAT(line->link, Contains("-shared"));
  // The loader finds these in the process.
  EXPECT_THAT(line->link, Not(Contains(HasSubstr("torch"))));
  EXPECT_THAT(line->link, Not(Contains("-fopenmp")));
  bool found = false;
  for (const std::string& folder : line->includes)
    found |= std::filesystem::exists(folder + "/torch/library.h");
  EXPECT_TRUE(found) << "no folder has torch/library.h";
  EXPECT_THAT(line->torch_libraries,
              AllOf(Contains(HasSubstr("libc10.so")), Contains(HasSubstr("libtorch_cpu.so"))));
  for (const std::string& file : line->torch_libraries)
    EXPECT_TRUE(std::filesystem::exists(file)) << file;
  EXPECT_TRUE(std::filesystem::exists(line->header)) << line->header;
  EXPECT_TRUE(std::filesystem::exists(line->tvm_ffi_library)) << line->tvm_ffi_library;
  EXPECT_NE(line->nvcc.empty(), line->no_nvcc.empty());
}

TEST(KindOfSource, GoesByTheNamesEnd) {
  for (const char* const path : {"a.cc", "/b/a.cpp", "a.b.cxx", "a.c++"})
    EXPECT_EQ(*KindOfSource(path), SourceKind::kCpp) << path;
  EXPECT_EQ(*KindOfSource("a.cu"), SourceKind::kCuda);
  for (const char* const path : {"", "a", "a.c", "a.py", "a.cu.txt", ".cc", "a.CC"})
    EXPECT_EQ(KindOfSource(path).status().code(), absl::StatusCode::kInvalidArgument) << path;
}

TEST(CompileWords, GivesAUsersFlagsLast) {
  const CompileLine line = {
      .compiler = "g++", .compile = {"-O1"}, .includes = {"/i"}, .header = "/h.h"};
  EXPECT_THAT(CompileWords(line, {.source = "a.cc", .flags = {"-O2"}, .object = "a.o"}),
              ElementsAre("g++", "-O1", "-isystem", "/i", "-fmax-errors=20", "-O2", "-c", "a.cc",
                          "-o", "a.o"));
  EXPECT_THAT(CompileWords(line, {.source = "a.cc", .precompiled = true, .object = "a.o"}),
              IsSupersetOf({"-include", "/h.h"}));
}

TEST(CompileWords, AsksForTheAddressSanitizer) {
  const CompileLine line = {.compiler = "g++", .link = {"-shared"}};
  const Compilation what = {.source = "a.cc", .address_sanitizer = true, .object = "a.o"};
  EXPECT_THAT(CompileWords(line, what),
              IsSupersetOf({"-fsanitize=address", "-fno-omit-frame-pointer", "-g1", "-O1"}));
  EXPECT_THAT(LinkWords(line, what, "a.so"),
              ElementsAre("g++", "a.o", "-o", "a.so", "-shared", "-fsanitize=address"));
}

TEST(CompileWords, CompilesCudaByNvccAndLinksByTheCompiler) {
  const CompileLine line = {.compiler = "g++",
                            .compile = {"-O1"},
                            .link = {"-shared"},
                            .header = "/h.h",
                            .nvcc = "/n/nvcc",
                            .nvcc_compile = {"-std=c++20"},
                            .nvcc_link = {"-lcudart"}};
  const Compilation what = {
      .source = "a.cu", .kind = SourceKind::kCuda, .precompiled = true, .object = "a.o"};
  EXPECT_THAT(CompileWords(line, what),
              ElementsAre("/n/nvcc", "-std=c++20", "-c", "a.cu", "-o", "a.o"));
  EXPECT_THAT(LinkWords(line, what, "a.so"),
              ElementsAre("g++", "a.o", "-o", "a.so", "-shared", "-lcudart"));
}

}  // namespace
}  // namespace assay::kernel
