#include "tools/processes/program_stamp.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "gtest/gtest.h"

namespace assay::processes {
namespace {

// Until the file system's clock, which advances every few milliseconds, shows that it was done.
void RestoreTime(const std::string& path, const struct stat& before) {
  const timespec times[] = {before.st_atim, before.st_mtim};
  struct stat now = before;
  while (now.st_ctim.tv_sec == before.st_ctim.tv_sec &&
         now.st_ctim.tv_nsec == before.st_ctim.tv_nsec) {
    ASSERT_EQ(utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
    ASSERT_EQ(stat(path.c_str(), &now), 0);
  }
  ASSERT_EQ(now.st_mtim.tv_nsec, before.st_mtim.tv_nsec);
}

TEST(ProgramStamp, AReplacedProgramHasAnother) {
  const std::string program = testing::TempDir() + "/x";
  const std::string runner = program + ".runfiles/assay/runner";
  std::filesystem::create_directories(program + ".runfiles/assay");
  std::ofstream(program) << "one";
  std::ofstream(runner) << "one";
  const uint64_t before = StampOf(program);
  EXPECT_EQ(StampOf(program), before);
  std::ofstream(runner) << "two!";
  EXPECT_NE(StampOf(program), before);
  EXPECT_EQ(StampOf("/no/such/program"), 0u);
}

TEST(ProgramStamp, AProgramThatWasOverwrittenHasAnotherThoughItsTimeWasPutBack) {
  const std::string program = testing::TempDir() + "/overwritten";
  std::ofstream(program) << "one";
  const uint64_t before = StampOf(program);
  struct stat file;
  ASSERT_EQ(stat(program.c_str(), &file), 0);
  std::fstream(program, std::ios::in | std::ios::out) << "two";
  RestoreTime(program, file);
  EXPECT_NE(StampOf(program), before);
}

}  // namespace
}  // namespace assay::processes
