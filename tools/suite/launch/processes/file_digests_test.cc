#include "tools/suite/launch/processes/file_digests.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "gtest/gtest.h"

namespace assay::suite {
namespace {

namespace fs = std::filesystem;

class FileDigestsTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        testing::TempDir() + "/" + testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
  }
  std::string Write(const std::string& name, const std::string& text) const {
    const fs::path path = fs::path(folder_) / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }
  std::string folder_;
};

// Until the file system's clock, which advances every few milliseconds, shows that it was done.
void PutTimeBack(const std::string& path, const struct stat& before) {
  const timespec times[] = {before.st_atim, before.st_mtim};
  struct stat now = before;
  while (now.st_ctim.tv_sec == before.st_ctim.tv_sec &&
         now.st_ctim.tv_nsec == before.st_ctim.tv_nsec) {
    ASSERT_EQ(utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
    ASSERT_EQ(stat(path.c_str(), &now), 0);
  }
  ASSERT_EQ(now.st_mtim.tv_nsec, before.st_mtim.tv_nsec);
}

// The digest of the empty message, by FIPS 180-4.
constexpr char kEmpty[] = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

TEST_F(FileDigestsTest, AreSha256) {
  EXPECT_EQ(*FileDigests("").OfFile(Write("empty", "")), kEmpty);
  EXPECT_FALSE(FileDigests("").OfFile(folder_ + "/missing").ok());
}

TEST_F(FileDigestsTest, OfAProgramFollowItsRunfiles) {
  const std::string program = Write("x", "#!/bin/sh\n");
  const std::string alone = *FileDigests("").OfProgram(program);
  Write("x.runfiles/assay/runner", "one");
  const std::string one = *FileDigests("").OfProgram(program);
  EXPECT_NE(one, alone);
  Write("x.runfiles/MANIFEST", "where they lie");
  EXPECT_EQ(*FileDigests("").OfProgram(program), one);
  Write("x.runfiles/assay/runner", "two");
  EXPECT_NE(*FileDigests("").OfProgram(program), one);
  Write("x.runfiles/assay/runner", "one");
  fs::rename(folder_ + "/x.runfiles/assay/runner", folder_ + "/x.runfiles/assay/walker");
  EXPECT_NE(*FileDigests("").OfProgram(program), one);
}

TEST_F(FileDigestsTest, OfALargeFileAreRememberedUntilItChanges) {
  const std::string path = Write("large", std::string(1 << 20, 'a'));
  const std::string cache = folder_ + "/cache/digests";
  FileDigests first(cache);
  const std::string digest = *first.OfFile(path);
  first.Save();
  std::string line;
  std::ifstream(cache) >> line;
  EXPECT_EQ(line, digest);
  // The cache is trusted: another digest in it shows that the file was not read.
  std::string text = std::string(64, '0') + std::string(fs::file_size(cache) - 64, ' ');
  std::ifstream(cache).read(text.data(), static_cast<std::streamsize>(text.size()));
  text.replace(0, 64, std::string(64, '0'));
  std::ofstream(cache) << text;
  EXPECT_EQ(*FileDigests(cache).OfFile(path), std::string(64, '0'));
  fs::permissions(cache, fs::perms(0666));
  EXPECT_EQ(*FileDigests(cache).OfFile(path), digest) << "others can write to it";
  fs::permissions(cache, fs::perms(0644));
  Write("large", std::string((1 << 20) + 1, 'a'));
  EXPECT_NE(*FileDigests(cache).OfFile(path), std::string(64, '0'));
}

TEST_F(FileDigestsTest, AreReadAgainWhereAFileWasOverwrittenAndItsTimePutBack) {
  const std::string path = Write("large", std::string(1 << 20, 'a'));
  const std::string cache = folder_ + "/cache/digests";
  FileDigests first(cache);
  const std::string before = *first.OfFile(path);
  first.Save();
  struct stat file;
  ASSERT_EQ(stat(path.c_str(), &file), 0);
  std::fstream(path, std::ios::in | std::ios::out | std::ios::binary) << "b";
  PutTimeBack(path, file);
  EXPECT_NE(*FileDigests(cache).OfFile(path), before);
}

TEST_F(FileDigestsTest, OfALargeFileAreRememberedOnceForAllLinksToIt) {
  const std::string path = Write("large", std::string(1 << 20, 'a'));
  fs::create_symlink(path, folder_ + "/link");
  const std::string cache = folder_ + "/cache/digests";
  FileDigests digests(cache);
  EXPECT_EQ(*digests.OfFile(folder_ + "/link"), *digests.OfFile(path));
  digests.Save();
  std::ifstream file(cache);
  EXPECT_EQ(std::count(std::istreambuf_iterator<char>(file), {}, '\n'), 1);
}

TEST_F(FileDigestsTest, ADamagedCacheIsNone) {
  const std::string path = Write("empty", "");
  EXPECT_EQ(*FileDigests(Write("cache", "\n\nnonsense\n" + std::string(64, 'z') + " 0 0 0\n"))
                 .OfFile(path),
            kEmpty);
}

}  // namespace
}  // namespace assay::suite
