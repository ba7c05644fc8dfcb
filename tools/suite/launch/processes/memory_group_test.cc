#include "tools/suite/launch/processes/memory_group.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace assay::suite {
namespace {

namespace fs = std::filesystem;

class MemoryGroupTest : public testing::Test {
 protected:
  void SetUp() override {
    root_ =
        testing::TempDir() + "/" + testing::UnitTest::GetInstance()->current_test_info()->name();
    Write(root_ + "/proc/self/cgroup", "1:cpu:/x\n0::/user/session\n");
    fs::create_directories(root_ + "/sys/fs/cgroup/user/session");
  }
  static void Write(const std::string& path, const std::string& text) {
    fs::create_directories(fs::path(path).parent_path());
    std::ofstream(path) << text;
  }
  static std::string Read(const std::string& path) {
    std::string text;
    std::ifstream(path) >> text;
    return text;
  }
  // The kernel fills a new folder with files; the test makes them in advance.
  std::string Kernel(const std::string& parent) {
    const std::string folder =
        root_ + "/sys/fs/cgroup" + parent + "/assay-" + std::to_string(getpid());
    for (const char* name : {"memory.max", "memory.swap.max", "memory.oom.group"}) {
      Write(folder + "/" + name, "");
    }
    return folder;
  }
  std::string root_;
};

TEST_F(MemoryGroupTest, IsMadeBesideOurOwn) {
  const std::string folder = Kernel("/user");
  const auto group = MemoryGroup::Make(4096, root_);
  ASSERT_TRUE(group.ok()) << group.status();
  EXPECT_EQ(fs::weakly_canonical(group->folder()), fs::weakly_canonical(folder));
  EXPECT_EQ(Read(folder + "/memory.max"), "4096");
  EXPECT_EQ(Read(folder + "/memory.swap.max"), "0");
}

TEST_F(MemoryGroupTest, OrInsideIt) {
  const std::string folder = Kernel("/user/session");
  const auto group = MemoryGroup::Make(4096, root_);
  ASSERT_TRUE(group.ok()) << group.status();
  EXPECT_EQ(Read(folder + "/memory.max"), "4096");
}

TEST_F(MemoryGroupTest, InAContainerItsGroupIsTheTopOne) {
  Write(root_ + "/proc/self/cgroup", "0::/\n");
  Kernel("");
  EXPECT_TRUE(MemoryGroup::Make(4096, root_).ok());
}

TEST_F(MemoryGroupTest, SaysWhyThereIsNone) {
  // Folders can be made, but the kernel offers no memory limit in them.
  const auto group = MemoryGroup::Make(4096, root_);
  EXPECT_TRUE(absl::IsUnavailable(group.status()));
  EXPECT_TRUE(absl::StrContains(group.status().message(), "memory.max")) << group.status();
  EXPECT_TRUE(fs::is_empty(root_ + "/sys/fs/cgroup/user/session"));
  Write(root_ + "/proc/self/cgroup", "1:cpu:/x\n");
  EXPECT_TRUE(absl::StrContains(MemoryGroup::Make(4096, root_).status().message(), "version 2"));
}

}  // namespace
}  // namespace assay::suite
