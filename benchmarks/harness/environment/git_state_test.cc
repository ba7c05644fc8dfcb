#include "benchmarks/harness/environment/git_state.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace assay::environment {
namespace {

class GitStateTest : public testing::Test {
 protected:
  void SetUp() override {
    if (system("git --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "git is not installed";
    // A name that a shell would trip over.
    folder_ = absl::StrCat(testing::TempDir(), "/work tree; $(exit 1) ",
                           testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    // The user's settings and a work tree around the folder must play no part.
    setenv("HOME", folder_.c_str(), 1);
    setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
    setenv("GIT_CEILING_DIRECTORIES", testing::TempDir().c_str(), 1);
  }

  void Git(const std::string& command) {
    ASSERT_EQ(system(absl::StrCat("cd '", folder_, "' && git -c user.name=a -c user.email=a@b.c ",
                                  command, " > /dev/null 2>&1")
                         .c_str()),
              0)
        << command;
  }
  void Write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ + "/" + name) << text;
  }
  void Commit() {
    Git("init");
    Write("file", "one");
    Git("add file");
    Git("commit -m first");
  }

  std::string folder_;
};

TEST_F(GitStateTest, IsEmptyOutsideOfAWorkTree) {
  EXPECT_EQ(ReadGitState(folder_).commit, "");
  EXPECT_FALSE(ReadGitState(folder_).dirty);
  EXPECT_EQ(ReadGitState(folder_ + "/missing").commit, "");
}

TEST_F(GitStateTest, IsEmptyBeforeTheFirstCommit) {
  Git("init");
  EXPECT_EQ(ReadGitState(folder_).commit, "");
}

TEST_F(GitStateTest, IsCleanAfterACommitAlsoInASubfolder) {
  Commit();
  const GitState state = ReadGitState(folder_);
  EXPECT_EQ(state.commit.size(), 40);
  EXPECT_EQ(state.commit.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_FALSE(state.dirty);
  std::filesystem::create_directory(folder_ + "/sub");
  EXPECT_EQ(ReadGitState(folder_ + "/sub").commit, state.commit);
}

TEST_F(GitStateTest, IsDirtyWhenATrackedFileChanged) {
  Commit();
  Write("untracked", "x");
  EXPECT_FALSE(ReadGitState(folder_).dirty) << "results lie about untracked";
  Write("file", "two");
  EXPECT_TRUE(ReadGitState(folder_).dirty);
}

TEST_F(GitStateTest, IsEmptyWithoutGit) {
  Commit();
  const std::string path = getenv("PATH");
  setenv("PATH", "/nowhere", 1);
  EXPECT_EQ(ReadGitState(folder_).commit, "");
  setenv("PATH", path.c_str(), 1);
}

}  // namespace
}  // namespace assay::environment
