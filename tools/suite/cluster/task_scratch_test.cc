#include "tools/suite/cluster/task_scratch.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace assay::suite {
namespace {

namespace fs = std::filesystem;

class TaskScratchTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_);
    setenv("TMPDIR", folder_.c_str(), 1);
  }
  void TearDown() override {
    setenv("TMPDIR", testing::TempDir().c_str(), 1);
    fs::remove_all(folder_);
  }
  const std::string folder_ = testing::TempDir() + "/scratch";
};

TEST_F(TaskScratchTest, GoesWithItsTask) {
  std::string path;
  {
    const auto scratch = TaskScratch::Make();
    ASSERT_TRUE(scratch.ok()) << scratch.status();
    path = scratch->path();
    std::ofstream(path + "/file") << "x";
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(TaskScratchTest, OfAKilledTaskGoesWithTheNextAndOthersStay) {
  const std::string left = folder_ + "/assay-task-killed", other = folder_ + "/other";
  fs::create_directories(left + "/out/logs");
  fs::create_directories(other);
  const auto runs = TaskScratch::Make();
  ASSERT_TRUE(runs.ok()) << runs.status();
  EXPECT_FALSE(fs::exists(left));
  const auto second = TaskScratch::Make();
  ASSERT_TRUE(second.ok()) << second.status();
  EXPECT_TRUE(fs::exists(runs->path()));
  EXPECT_NE(second->path(), runs->path());
  EXPECT_TRUE(fs::exists(other));
}

TEST_F(TaskScratchTest, DoesNotFollowLinks) {
  fs::create_directories(folder_ + "/mine");
  fs::create_directory_symlink(folder_ + "/mine", folder_ + "/assay-task-link");
  ASSERT_TRUE(TaskScratch::Make().ok());
  EXPECT_TRUE(fs::exists(folder_ + "/mine"));
}

TEST_F(TaskScratchTest, SaysWhereItCannotBeMade) {
  setenv("TMPDIR", "/proc/none", 1);
  EXPECT_TRUE(absl::StrContains(TaskScratch::Make().status().message(), "/proc/none"));
}

}  // namespace
}  // namespace assay::suite
