#include "benchmarks/harness/tensor_files/mapped_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "gtest/gtest.h"

namespace assay::tensor_files {
namespace {

// A line of /proc/self/status in KiB.
int64_t ProcessKib(const std::string& key) {
  std::ifstream status("/proc/self/status");
  std::string word;
  int64_t kib = -1;
  while (status >> word) {
    if (word == key + ":" && status >> kib) return kib;
  }
  return kib;
}

TEST(MappedFileTest, HasTheBytesOfTheFile) {
  const std::string path = absl::StrCat(TestFolder(), "/file");
  for (const std::string& content : {std::string("a\0b", 3), std::string(70001, 'x')}) {
    ASSERT_TRUE(WriteFileAtomically(path, content).ok());
    const auto file = MappedFile::Open(path);
    ASSERT_TRUE(file.ok()) << file.status();
    EXPECT_EQ((*file)->bytes(), content);
    EXPECT_EQ((*file)->path(), path);
  }
}

TEST(MappedFileTest, WhatIsReleasedTakesNoMemoryAndComesInAnew) {
  const std::string path = absl::StrCat(TestFolder(), "/file");
  const std::string content(32 << 20, 'x');
  ASSERT_TRUE(WriteFileAtomically(path, content).ok());
  const auto file = MappedFile::Open(path);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ((*file)->bytes(), content);
  const int64_t before = ProcessKib("RssFile");
  (*file)->Release(0, content.size() + 1);
  EXPECT_LT(ProcessKib("RssFile"), before - (31 << 10));
  EXPECT_EQ((*file)->bytes(), content);
}

TEST(MappedFileTest, AnEmptyFileIsNoBytes) {
  const std::string path = absl::StrCat(TestFolder(), "/file");
  ASSERT_TRUE(WriteFileAtomically(path, "").ok());
  const auto file = MappedFile::Open(path);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_TRUE((*file)->bytes().empty());
}

TEST(MappedFileTest, FollowsALinkToACheckpoint) {
  const std::string folder = TestFolder();
  ASSERT_TRUE(WriteFileAtomically(folder + "/blob", "bytes").ok());
  std::filesystem::create_symlink("blob", folder + "/model.safetensors");
  const auto file = MappedFile::Open(folder + "/model.safetensors");
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ((*file)->bytes(), "bytes");
}

TEST(MappedFileTest, RefusesWhatIsNoRegularFileAndNamesIt) {
  const std::string folder = TestFolder();
  ASSERT_EQ(mkfifo((folder + "/pipe").c_str(), 0600), 0);
  for (const std::string& path : {folder, folder + "/pipe", std::string("/dev/zero")}) {
    const absl::Status status = MappedFile::Open(path).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
    EXPECT_NE(status.message().find(path), std::string::npos) << status;
  }
  EXPECT_EQ(MappedFile::Open(folder + "/none").status().code(), absl::StatusCode::kNotFound);
}

TEST(MappedFileTest, AReplacedFileKeepsItsOldBytes) {
  const std::string path = absl::StrCat(TestFolder(), "/file");
  ASSERT_TRUE(WriteFileAtomically(path, "old").ok());
  const auto file = MappedFile::Open(path);
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_TRUE(WriteFileAtomically(path, "new and longer").ok());
  EXPECT_EQ((*file)->bytes(), "old");
}

// The file has a hole of 64 GiB, more than the machine has memory.
TEST(MappedFileTest, OpeningTakesNoMemoryWhateverTheSize) {
  const std::string path = absl::StrCat(TestFolder(), "/file");
  ASSERT_TRUE(WriteFileAtomically(path, "begin").ok());
  ASSERT_EQ(truncate(path.c_str(), off_t{64} << 30), 0);
  const int64_t before = ProcessKib("VmRSS");
  ASSERT_GT(before, 0);
  const auto file = MappedFile::Open(path);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ((*file)->bytes().size(), size_t{64} << 30);
  EXPECT_EQ((*file)->bytes().substr(0, 6), std::string_view("begin\0", 6));
  EXPECT_EQ((*file)->bytes().back(), '\0');
  EXPECT_LT(ProcessKib("VmRSS") - before, 16 * 1024) << "KiB";
}

}  // namespace
}  // namespace assay::tensor_files
