#include "tools/processes/program_copies.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/processes/program_stamp.h"

namespace assay::processes {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr char kRemedy[] = "choose another folder with --out";

std::string TextOf(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// A tree as Bazel leaves it: programs whose runfiles are links to files of the build and of an
// external repository.
class Copies : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(root_);
    Write("bazel-out/bin/a/runner", "runner 1");
    fs::permissions(root_ / "bazel-out/bin/a/runner", fs::perms::owner_exec, fs::perm_options::add);
    Write("external/libtorch/lib.so", "a library");
    Link("bazel-out/bin/_solib/lib.so", root_ / "external/libtorch/lib.so");
    for (const std::string name : {"one", "two"}) {
      const std::string program = "bazel-out/bin/a/" + name;
      Write(program, "#!/bin/sh\n# " + name);
      Write(program + ".runfiles/MANIFEST", "");
      Link(program + ".runfiles/assay/a/runner", root_ / "bazel-out/bin/a/runner");
      Link(program + ".runfiles/assay/_solib/lib.so", root_ / "bazel-out/bin/_solib/lib.so");
    }
  }

  void Write(const std::string& name, const std::string& text) {
    fs::create_directories((root_ / name).parent_path());
    fs::remove(root_ / name);  // as Bazel does
    std::ofstream(root_ / name) << text;
  }

  void Link(const std::string& name, const fs::path& to) {
    fs::create_directories((root_ / name).parent_path());
    fs::create_symlink(to, root_ / name);
  }

  std::string Made(ProgramCopies& copies, const std::string& name) {
    const std::string program = (root_ / "bazel-out/bin/a" / name).string();
    const absl::StatusOr<std::string> copy = copies.Make(program, "//a:" + name, StampOf(program));
    EXPECT_TRUE(copy.ok()) << copy.status();
    return copy.value_or("");
  }

  const fs::path root_ = fs::path(std::getenv("TEST_TMPDIR")) / "copies";
  const fs::path folder_ = root_ / "out/programs";
};

TEST_F(Copies, KeepWhatWasMeasuredWhenABuildChangesTheTree) {
  ProgramCopies copies(folder_.string(), kRemedy);
  const std::string one = Made(copies, "one");
  Write("bazel-out/bin/a/runner", "runner 2");
  Write("bazel-out/bin/a/one", "another script");
  EXPECT_EQ(TextOf(one), "#!/bin/sh\n# one");
  EXPECT_EQ(TextOf(one + ".runfiles/assay/a/runner"), "runner 1");
  EXPECT_EQ(TextOf(one + ".runfiles/assay/_solib/lib.so"), "a library");
}

TEST_F(Copies, HaveOneRunnerWithItsLibrariesBesideIt) {
  ProgramCopies copies(folder_.string(), kRemedy);
  const fs::path one = fs::canonical(Made(copies, "one") + ".runfiles/assay/a/runner");
  EXPECT_EQ(one, fs::canonical(Made(copies, "two") + ".runfiles/assay/a/runner"));
  EXPECT_THAT(one.string(), HasSubstr("out/programs"));
  EXPECT_EQ(TextOf(one.parent_path() / "../_solib/lib.so"), "a library") << "$ORIGIN/../_solib";
  EXPECT_TRUE((fs::status(one).permissions() & fs::perms::owner_exec) != fs::perms::none);
}

TEST_F(Copies, LinkWhatNoBuildWrites) {
  ProgramCopies copies(folder_.string(), kRemedy);
  const fs::path library = Made(copies, "one") + ".runfiles/assay/_solib/lib.so";
  EXPECT_EQ(fs::canonical(library), fs::canonical(root_ / "external/libtorch/lib.so"));
}

TEST_F(Copies, AreGoneAfterTheSuiteAndAfterOneThatWasKilled) {
  Write("out/programs/left/behind", "");
  {
    ProgramCopies copies(folder_.string(), kRemedy);
    EXPECT_FALSE(fs::exists(folder_ / "left"));
    Made(copies, "one");
    EXPECT_TRUE(fs::exists(folder_));
  }
  EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(Copies, ThatCannotBeWrittenSayWhere) {
  Write("out", "a file, not a folder");
  ProgramCopies copies(folder_.string(), kRemedy);
  const std::string program = (root_ / "bazel-out/bin/a/one").string();
  const absl::StatusOr<std::string> copy = copies.Make(program, "//a:one", StampOf(program));
  ASSERT_FALSE(copy.ok());
  EXPECT_THAT(copy.status().message(), HasSubstr("out/programs"));
  EXPECT_THAT(copy.status().message(), HasSubstr(kRemedy));
}

TEST_F(Copies, AreRefusedWhereABuildChangedTheProgramMeanwhile) {
  ProgramCopies copies(folder_.string(), kRemedy);
  const std::string program = (root_ / "bazel-out/bin/a/one").string();
  const uint64_t stamp = StampOf(program);
  Write("bazel-out/bin/a/runner", "runner 2");
  const absl::StatusOr<std::string> copy = copies.Make(program, "//a:one", stamp);
  EXPECT_EQ(copy.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(copy.status().message(), HasSubstr("a/one changed while it was copied"));
}

TEST_F(Copies, OfProcessesThatAreGoneAreRemoved) {
  setenv("XDG_CACHE_HOME", (root_ / "cache").c_str(), 1);
  const absl::StatusOr<std::string> folder = FolderForCopies();
  ASSERT_TRUE(folder.ok()) << folder.status();
  const fs::path machine = fs::path(*folder).parent_path();
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  fs::create_directories(machine / std::to_string(child) / "mlp");
  fs::create_directories(machine / std::to_string(getppid()) / "mlp");
  fs::create_directories(machine / "a folder");
  EXPECT_EQ(FolderForCopies().value_or(""), *folder);
  EXPECT_FALSE(fs::exists(machine / std::to_string(child)));
  EXPECT_TRUE(fs::exists(machine / std::to_string(getppid()))) << "it runs";
  EXPECT_TRUE(fs::exists(machine / "a folder"));
  unsetenv("XDG_CACHE_HOME");
}

}  // namespace
}  // namespace assay::processes
