#include "tools/kernel/library_build.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::kernel {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// A compiler that counts its calls and does what its script says with $object, $dependencies and $source.
constexpr char kCompiler[] = R"(#!/bin/sh
[ "$LC_ALL" = C ] || { echo "messages in any language" >&2; exit 9; }
case " $* " in *' -### '*) echo version 1 >&2; exit 0 ;; esac
while [ $# -gt 0 ]; do
  case $1 in -o) object=$2; shift ;; -MF) dependencies=$2; shift ;; -c) source=$2; shift ;; esac
  shift
done
if [ -z "$source" ]; then echo library >"$object"; exit 0; fi
echo "$source" >>"$0.calls"
)";
constexpr char kCompiles[] =
    "echo \"$object: $source row.h \\\\\" >\"$dependencies\"\n"
    "echo \"  other.h\" >>\"$dependencies\"\n"
    "echo object >\"$object\"\n";

std::string Contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// A source and two headers in a folder of their own, which is the working directory; a cache; a compiler.
class LibraryBuildTest : public testing::Test {
 protected:
  void SetUp() override {
    started_ = fs::current_path();
    folder_ = tensor_files::TestFolder();
    fs::permissions(folder_, fs::perms::owner_all);
    setenv("XDG_CACHE_HOME", absl::StrCat(folder_, "/cache").c_str(), 1);
    fs::create_directories(folder_ + "/line/kernel");
    fs::current_path(folder_);
    Write("mine.cc", "int mine;");
    Write("row.h", "");
    Write("other.h", "");
    Compiler(kCompiles);
  }
  void TearDown() override {
    fs::current_path(started_);
    unsetenv("XDG_CACHE_HOME");
  }

  static void Write(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
  }
  void Compiler(const std::string& script) {
    compiler_ = absl::StrCat(folder_, "/g++");
    Write(compiler_, absl::StrCat(kCompiler, script));
    fs::permissions(compiler_, fs::perms::owner_all);
    Line("compile -O1\n");
  }
  void Line(const std::string& lines) {
    line_ = folder_ + "/line/kernel/compile_line.txt";
    Write(line_, absl::StrCat("folder kernel\ncompiler ", compiler_,
                              "\nno_nvcc CUDA is missing\nlink -shared\n", lines));
  }
  absl::StatusOr<std::string> Build(const std::string& path = "mine.cc") {
    return BuildLibrary({.path = path, .compile_line = line_}, nullptr);
  }
  // The message where it cannot.
  absl::Status Refused() {
    absl::Status status = Build().status();
    EXPECT_FALSE(status.ok());
    for (const fs::directory_entry& entry :
         fs::directory_iterator(folder_ + "/cache/assay/kernels"))
      ADD_FAILURE() << entry.path() << " was left behind";
    return status;
  }
  // How many sources were compiled until now.
  int64_t Calls() const {
    const std::string calls = Contents(compiler_ + ".calls");
    return std::count(calls.begin(), calls.end(), '\n');
  }

  fs::path started_;
  std::string folder_, compiler_, line_;
};

TEST_F(LibraryBuildTest, CompilesTheSameSourceOnce) {
  const absl::StatusOr<std::string> library = Build();
  ASSERT_TRUE(library.ok()) << library.status();
  EXPECT_THAT(*library, HasSubstr("/cache/assay/kernels/mine-"));
  EXPECT_EQ(Contents(*library), "library\n");
  EXPECT_EQ(*Build(), *library);
  EXPECT_EQ(*Build(fs::absolute("mine.cc").string()), *library);
  EXPECT_EQ(Calls(), 1);
}

TEST_F(LibraryBuildTest, CompilesAgainWhereAnythingChanged) {
  std::vector<std::string> libraries = {*Build()};
  Write("mine.cc", "int mine = 2;");
  libraries.push_back(*Build());
  Write("row.h", "int row;");
  libraries.push_back(*Build());
  Line("compile -O2\n");
  libraries.push_back(*Build());
  libraries.push_back(*BuildLibrary(
      {.path = "mine.cc", .address_sanitizer = true, .compile_line = line_}, nullptr));
  libraries.push_back(
      *BuildLibrary({.path = "mine.cc", .flags = {"-DX"}, .compile_line = line_}, nullptr));
  fs::create_directory("elsewhere");
  Write("elsewhere/mine.cc", "int mine = 2;");  // its headers are others
  libraries.push_back(*Build("elsewhere/mine.cc"));
  Write(folder_ + "/version.h", "2.11");
  Line(absl::StrCat("compile -O2\ninclude ", folder_, "\nversion version.h\n"));
  libraries.push_back(*Build());
  Write(folder_ + "/version.h", "2.12");
  libraries.push_back(*Build());
  EXPECT_EQ(Calls(), static_cast<int64_t>(libraries.size()));
  EXPECT_EQ(std::set<std::string>(libraries.begin(), libraries.end()).size(), libraries.size());
}

TEST_F(LibraryBuildTest, CompilesAgainWithAnotherCompiler) {
  Build().IgnoreError();
  Write(compiler_, absl::StrReplaceAll(Contents(compiler_), {{"version 1", "version 2"}}));
  EXPECT_TRUE(Build().ok());
  EXPECT_EQ(Calls(), 2);
}

TEST_F(LibraryBuildTest, ShowsTheCompilersErrorsAsTheyAre) {
  Compiler(
      "echo \"$source:1: error: no\n    1 | throw \\\"No space left on device\\\";\" >&2; exit 1");
  const absl::Status status = Refused();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(),
            "mine.cc does not compile:\nmine.cc:1: error: no\n    1 | throw \"No space left on "
            "device\";\n");
}

TEST_F(LibraryBuildTest, LeavesOutTheMiddleOfALongOutput) {
  Compiler("seq 100000 >&2; exit 1");
  const absl::Status status = Refused();
  EXPECT_THAT(std::string(status.message()), HasSubstr("compile:\n1\n2\n"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("\n... 99861 lines left out ...\n"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("\n100000\n"));
  EXPECT_LT(status.message().size(), 2000U);
}

TEST_F(LibraryBuildTest, DoesNotBlameTheSourceForTheSurroundings) {
  for (const char* const fault :
       {"g++: fatal error: Killed signal terminated program cc1plus",
        "cc1plus: out of memory allocating 65536 bytes after a total of 1 bytes",
        "virtual memory exhausted: Cannot allocate memory",
        "mine.cc:1: fatal error: error writing to /tmp/a.s: No space left on device",
        "g++: fatal error: cannot execute 'cc1plus': execvp: No such file or directory",
        "mine.cc:3:1: internal compiler error: Segmentation fault"}) {
    Compiler(absl::StrCat("echo \"", fault, "\" >&2; exit 1"));
    const absl::Status status = Refused();
    EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(fault));
  }
  Compiler("kill -9 $$");
  EXPECT_EQ(Refused().code(), absl::StatusCode::kUnavailable);
}

TEST_F(LibraryBuildTest, NamesACompilerThatIsMissing) {
  fs::remove(compiler_);
  const absl::Status status = Refused();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(status.message()), HasSubstr("/g++"));
}

TEST_F(LibraryBuildTest, NoticesASourceThatChangesMeanwhile) {
  Compiler(absl::StrCat(kCompiles, "echo more >>\"$source\"\n"));
  const absl::Status status = Refused();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(status.message()), HasSubstr("changed while it was compiled"));
}

TEST_F(LibraryBuildTest, RefusesWhatIsNoSource) {
  EXPECT_EQ(Build("missing.cc").status().code(), absl::StatusCode::kNotFound);
  fs::create_directory("folder.cc");
  EXPECT_EQ(Build("folder.cc").status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(Build("mine.py").status().code(), absl::StatusCode::kInvalidArgument);
  Write("mine.cu", "");
  const absl::Status no_nvcc = Build("mine.cu").status();
  EXPECT_EQ(no_nvcc.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(no_nvcc.message(), "mine.cu: CUDA is missing");
}

TEST_F(LibraryBuildTest, EndsTheCompilerWhereTheUserInterrupts) {
  Compiler("touch started; sleep 600");
  std::atomic<bool> interrupted = false;
  std::thread user([&interrupted] {
    while (!fs::exists("started")) absl::SleepFor(absl::Milliseconds(5));
    interrupted = true;
  });
  const absl::Status status =
      BuildLibrary({.path = "mine.cc", .compile_line = line_}, &interrupted).status();
  user.join();
  EXPECT_EQ(status.code(), absl::StatusCode::kCancelled) << status;
}

TEST(Prerequisites, ReadsRulesOfMake) {
  EXPECT_THAT(Prerequisites("a.o: a.cc b.h \\\n  c.h\n"), ElementsAre("a.cc", "b.h", "c.h"));
  EXPECT_THAT(Prerequisites("a.o: my\\ kernel.cc a\\#b.h $$c.h"),
              ElementsAre("my kernel.cc", "a#b.h", "$c.h"));
  EXPECT_THAT(Prerequisites(""), IsEmpty());
  EXPECT_THAT(Prerequisites("a.o:"), IsEmpty());
  EXPECT_THAT(Prerequisites("a.o: \\"), ElementsAre("\\"));
}

// The tree's own compiler and LibTorch's headers, with a source as a user has it.
class RealBuildTest : public testing::Test {
 protected:
  void SetUp() override {
    setenv("XDG_CACHE_HOME", (tensor_files::TestFolder() + "/cache").c_str(), 1);
  }
  void TearDown() override { unsetenv("XDG_CACHE_HOME"); }
};

TEST_F(RealBuildTest, CompilesASourceAgainstLibTorch) {
  const LibrarySource source = {.path = "tools/kernel/examples/wrong_length.cc"};
  const absl::StatusOr<std::string> library = BuildLibrary(source, nullptr);
  ASSERT_TRUE(library.ok()) << library.status();
  const std::string bytes = Contents(*library);
  EXPECT_THAT(bytes, HasSubstr("_ZN5torch7LibraryC"));
  for (const char* const needed : {"libtorch_cpu.so", "libc10.so", "libgomp"})
    EXPECT_THAT(bytes, Not(HasSubstr(needed)));
  EXPECT_EQ(*BuildLibrary(source, nullptr), *library);
}

TEST_F(RealBuildTest, BuildsWithTheAddressSanitizer) {
  const std::string source = tensor_files::TestFolder() + "/mine.cc";
  std::ofstream(source) << "extern \"C\" int Mine(const int* x) { return *x; }\n";
  const absl::StatusOr<std::string> library =
      BuildLibrary({.path = source, .address_sanitizer = true}, nullptr);
  ASSERT_TRUE(library.ok()) << library.status();
  EXPECT_THAT(Contents(*library), HasSubstr("__asan_report_load4"));
  const absl::StatusOr<std::string> runtime = AddressSanitizerRuntime("", nullptr);
  ASSERT_TRUE(runtime.ok()) << runtime.status();
  EXPECT_TRUE(fs::is_regular_file(*runtime)) << *runtime;
}

TEST_F(RealBuildTest, ShowsWhatDoesNotCompile) {
  const std::string source = tensor_files::TestFolder() + "/mine.cc";
  std::ofstream(source) << "int Mine() { return missing; }\n";
  const absl::Status status = BuildLibrary({.path = source}, nullptr).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("mine.cc:1:21: error: 'missing' was not declared in this scope"));
}

}  // namespace
}  // namespace assay::kernel
