#include "benchmarks/backends/module_cache.h"

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "benchmarks/harness/tensor_files/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::backends {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;

class AModuleCache : public testing::Test {
 protected:
  // A file of 10 bytes that was used so many hours ago.
  void Add(const std::string& name, int hours) {
    std::ofstream(Path(name)) << "0123456789";
    fs::last_write_time(Path(name), fs::file_time_type::clock::now() - std::chrono::hours(hours));
  }
  std::string Path(const std::string& name) const { return folder_ + "/" + name; }
  std::set<std::string> Names() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) names.insert(entry.path().filename());
    return names;
  }

  const std::string folder_ = tensor_files::TestFolder();
};

TEST_F(AModuleCache, RemovesWhatWasUsedLongestAgo) {
  Add("a", 5);
  Add("b", 9);
  Add("c", 7);
  fs::create_directory(Path("folder"));
  TrimFolder(folder_, 30);
  EXPECT_THAT(Names(), ElementsAre("a", "b", "c", "folder"));
  TrimFolder(folder_, 29);
  EXPECT_THAT(Names(), ElementsAre("a", "c", "folder"));
  NoteUse(Path("c"));
  TrimFolder(folder_, 10);
  EXPECT_THAT(Names(), ElementsAre("c", "folder"));
}

TEST_F(AModuleCache, ADigestGoesWithItsFile) {
  Add("a", 5);
  Add("a.sha256", 50);
  Add("b", 9);
  Add("b.sha256", 50);
  TrimFolder(folder_, 20);
  EXPECT_THAT(Names(), ElementsAre("a", "a.sha256", "b", "b.sha256"));
  TrimFolder(folder_, 10);
  EXPECT_THAT(Names(), ElementsAre("a", "a.sha256"));
}

TEST_F(AModuleCache, KeepsWhatWasUsedLately) {
  Add("a", 0);
  Add("b", 3);
  TrimFolder(folder_, 0);
  EXPECT_THAT(Names(), ElementsAre("a"));
  TrimFolder(Path("none"), 0);
}

}  // namespace
}  // namespace assay::backends
