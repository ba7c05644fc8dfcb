#include "tools/suite/launch/program_copies.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::suite {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

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
    const absl::StatusOr<std::string> copy =
        copies.Make((root_ / "bazel-out/bin/a" / name).string(), "//a:" + name);
    EXPECT_TRUE(copy.ok()) << copy.status();
    return copy.value_or("");
  }

  const fs::path root_ = fs::path(std::getenv("TEST_TMPDIR")) / "copies";
  const fs::path folder_ = root_ / "out/programs";
};

TEST_F(Copies, KeepWhatWasMeasuredWhenABuildChangesTheTree) {
  ProgramCopies copies(folder_.string());
  const std::string one = Made(copies, "one");
  Write("bazel-out/bin/a/runner", "runner 2");
  Write("bazel-out/bin/a/one", "another script");
  EXPECT_EQ(TextOf(one), "#!/bin/sh\n# one");
  EXPECT_EQ(TextOf(one + ".runfiles/assay/a/runner"), "runner 1");
  EXPECT_EQ(TextOf(one + ".runfiles/assay/_solib/lib.so"), "a library");
}

TEST_F(Copies, HaveOneRunnerWithItsLibrariesBesideIt) {
  ProgramCopies copies(folder_.string());
  const fs::path one = fs::canonical(Made(copies, "one") + ".runfiles/assay/a/runner");
  EXPECT_EQ(one, fs::canonical(Made(copies, "two") + ".runfiles/assay/a/runner"));
  EXPECT_THAT(one.string(), HasSubstr("out/programs"));
  EXPECT_EQ(TextOf(one.parent_path() / "../_solib/lib.so"), "a library") << "$ORIGIN/../_solib";
  EXPECT_TRUE((fs::status(one).permissions() & fs::perms::owner_exec) != fs::perms::none);
}

TEST_F(Copies, LinkWhatNoBuildWrites) {
  ProgramCopies copies(folder_.string());
  const fs::path library = Made(copies, "one") + ".runfiles/assay/_solib/lib.so";
  EXPECT_EQ(fs::canonical(library), fs::canonical(root_ / "external/libtorch/lib.so"));
}

TEST_F(Copies, AreGoneAfterTheSuiteAndAfterOneThatWasKilled) {
  Write("out/programs/left/behind", "");
  {
    ProgramCopies copies(folder_.string());
    EXPECT_FALSE(fs::exists(folder_ / "left"));
    Made(copies, "one");
    EXPECT_TRUE(fs::exists(folder_));
  }
  EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(Copies, ThatCannotBeWrittenSayWhere) {
  Write("out", "a file, not a folder");
  ProgramCopies copies(folder_.string());
  const absl::StatusOr<std::string> copy =
      copies.Make((root_ / "bazel-out/bin/a/one").string(), "//a:one");
  ASSERT_FALSE(copy.ok());
  EXPECT_THAT(copy.status().message(), HasSubstr("out/programs"));
  EXPECT_THAT(copy.status().message(), HasSubstr("choose another folder with --out"));
}

}  // namespace
}  // namespace assay::suite
