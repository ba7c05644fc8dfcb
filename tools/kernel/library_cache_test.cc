#include "tools/kernel/library_cache.h"

#include <sys/stat.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::kernel {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class LibraryCacheTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = tensor_files::TestFolder();
    fs::permissions(folder_, fs::perms::owner_all);
    header_ = (fs::path(folder_) / "row of a kernel.h").string();
    Write(header_, "1");
  }

  static void Write(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
  }

  std::string Store(const LibraryCache& cache, const std::string& key) const {
    const std::string scratch = *cache.MakeScratch();
    Write(scratch + "/library.so", "library of " + key);
    const absl::StatusOr<std::string> stored =
        cache.Store(key, "my softmax!", scratch + "/library.so", {header_});
    EXPECT_TRUE(stored.ok()) << stored.status();
    EXPECT_FALSE(fs::exists(scratch));
    return stored.value_or("");
  }

  std::string folder_, header_;
};

TEST_F(LibraryCacheTest, FindsWhatItStored) {
  const LibraryCache cache(folder_);
  EXPECT_EQ(cache.Find("k"), "");
  const std::string stored = Store(cache, "k");
  EXPECT_THAT(stored, HasSubstr("/my_softmax_-"));
  EXPECT_EQ(cache.Find("k"), stored);
  EXPECT_EQ(cache.Find("other"), "");
}

TEST_F(LibraryCacheTest, DoesNotFindOneWhoseHeaderChanged) {
  const LibraryCache cache(folder_);
  const std::string before = Store(cache, "k");
  Write(header_, "2");
  EXPECT_EQ(cache.Find("k"), "");
  const std::string after = Store(cache, "k");
  EXPECT_NE(after, before);
  EXPECT_EQ(cache.Find("k"), after);
  fs::remove(header_);
  EXPECT_EQ(cache.Find("k"), "");
}

TEST_F(LibraryCacheTest, DoesNotBelieveWhatIsCutOffOrWritableByOthers) {
  const LibraryCache cache(folder_);
  const std::string stored = Store(cache, "k");
  fs::permissions(stored, fs::perms::others_write, fs::perm_options::add);
  EXPECT_EQ(cache.Find("k"), "");
  fs::permissions(stored, fs::perms::others_write, fs::perm_options::remove);
  EXPECT_EQ(cache.Find("k"), stored);
  fs::resize_file(stored, 3);
  EXPECT_EQ(cache.Find("k"), "");
  fs::remove(stored);
  EXPECT_EQ(cache.Find("k"), "");
  Write(fs::path(folder_) / "k.made", "nonsense");
  EXPECT_EQ(cache.Find("k"), "");
}

TEST_F(LibraryCacheTest, RemovesThoseThatWereNotUsedForTheLongestTime) {
  const LibraryCache cache(folder_, /*most=*/2);
  const std::string first = Store(cache, "1"), second = Store(cache, "2");
  const auto past = fs::file_time_type::clock::now() - std::chrono::hours(1);
  for (const std::string& old :
       {first, second, absl::StrCat(folder_, "/1.made"), absl::StrCat(folder_, "/2.made")})
    fs::last_write_time(old, past);
  EXPECT_EQ(cache.Find("1"), first);  // used, and so the younger one
  const std::string third = Store(cache, "3");
  EXPECT_EQ(cache.Find("1"), first);
  EXPECT_EQ(cache.Find("2"), "");
  EXPECT_FALSE(fs::exists(second));
  EXPECT_EQ(cache.Find("3"), third);
}

TEST_F(LibraryCacheTest, RemovesWhatAKilledCompilerLeft) {
  const LibraryCache cache(folder_);
  const std::string left = *cache.MakeScratch(), in_use = *cache.MakeScratch();
  fs::last_write_time(left, fs::file_time_type::clock::now() - std::chrono::hours(48));
  Store(cache, "k");
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(in_use));
}

TEST_F(LibraryCacheTest, RefusesAFolderThatOthersCanWriteTo) {
  setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
  EXPECT_TRUE(LibraryCache::Open().ok()) << LibraryCache::Open().status();
  chmod((folder_ + "/assay/kernels").c_str(), 0777);
  const absl::Status refused = LibraryCache::Open().status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(refused.message()), HasSubstr("chmod go-w"));
  unsetenv("XDG_CACHE_HOME");
}

}  // namespace
}  // namespace assay::kernel
