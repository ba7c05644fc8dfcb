#include "benchmarks/harness/tensor_files/file_bytes.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "gtest/gtest.h"

namespace assay::tensor_files {
namespace {

constexpr int64_t kPlenty = 1 << 20;

int EntriesOf(const std::string& folder) {
  int entries = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++entries;
  return entries;
}

TEST(FileBytesTest, WhatIsWrittenIsRead) {
  const std::string path = absl::StrCat(TestFolder(), "/file");
  for (const std::string& content :
       {std::string("a\0b\n", 4), std::string(), std::string(70000, 'x')}) {
    ASSERT_TRUE(WriteFileAtomically(path, content).ok());
    const absl::StatusOr<std::string> read = ReadFile(path, kPlenty);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(*read, content);
  }
}

TEST(FileBytesTest, PiecesAreWrittenOneAfterTheOther) {
  const std::string path = absl::StrCat(TestFolder(), "/file");
  ASSERT_TRUE(WriteFileAtomically(path, {"ab", "", "c"}).ok());
  EXPECT_EQ(*ReadFile(path, kPlenty), "abc");
}

TEST(FileBytesTest, AMissingFileIsNotFoundAndNamed) {
  const std::string path = absl::StrCat(TestFolder(), "/none");
  const absl::Status status = ReadFile(path, kPlenty).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_NE(status.message().find(path), std::string::npos) << status;
}

TEST(FileBytesTest, OnlyRegularFilesAreRead) {
  const std::string folder = TestFolder();
  EXPECT_EQ(ReadFile(folder, kPlenty).status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(ReadFile("/dev/zero", kPlenty).status().code(), absl::StatusCode::kFailedPrecondition);
  const std::string pipe = absl::StrCat(folder, "/pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(ReadFile(pipe, kPlenty).status().code(), absl::StatusCode::kFailedPrecondition)
      << "and does not wait for a writer";
}

TEST(FileBytesTest, AFileOverTheLimitIsRefusedUnread) {
  const std::string path = absl::StrCat(TestFolder(), "/sparse");
  ASSERT_TRUE(WriteFileAtomically(path, "x").ok());
  std::filesystem::resize_file(path, uintmax_t{1} << 40);  // a hole: no disk, but far over memory
  EXPECT_EQ(ReadFile(path, kPlenty).status().code(), absl::StatusCode::kOutOfRange);
}

TEST(FileBytesTest, AFailedWriteLeavesTheOldContentAndNothingElse) {
  const std::string folder = TestFolder();
  const std::string path = absl::StrCat(folder, "/file");
  ASSERT_TRUE(WriteFileAtomically(path, "old").ok());
  // A limit on file size makes write() fail half-way, as a full disk does.
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{4096, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const absl::Status status = WriteFileAtomically(path, std::string(10000, 'n'));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(*ReadFile(path, kPlenty), "old");
  EXPECT_EQ(EntriesOf(folder), 1) << "the temporary file is gone";
}

TEST(FileBytesTest, AFileGetsThePermissionsThatItIsToHave) {
  const std::string path = absl::StrCat(TestFolder(), "/file");
  ASSERT_TRUE(WriteFileAtomically(path, "x", 0555).ok());
  EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms{0555});
}

// A process with the pid of one that was killed meets what that one left.
TEST(FileBytesTest, LeftoversOfAnEqualPidAreInNobodysWay) {
  const std::string path = absl::StrCat(TestFolder(), "/file");
  for (int i = 0; i < 100; ++i) {
    std::ofstream(absl::StrCat(path, ".tmp.", getpid(), ".", i)) << "left";
  }
  EXPECT_TRUE(WriteFileAtomically(path, "x").ok());
}

TEST(FileBytesTest, AMissingFolderIsNamed) {
  const std::string path = absl::StrCat(TestFolder(), "/none/file");
  const absl::Status status = WriteFileAtomically(path, "x");
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_NE(status.message().find(path), std::string::npos) << status;
}

TEST(FileBytesTest, AFolderInPlaceOfTheFileIsAnErrorAndStays) {
  const std::string folder = TestFolder();
  EXPECT_FALSE(WriteFileAtomically(folder, "x").ok());
  EXPECT_TRUE(std::filesystem::is_directory(folder));
}

}  // namespace
}  // namespace assay::tensor_files
