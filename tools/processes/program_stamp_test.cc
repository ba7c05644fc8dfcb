#include "tools/processes/program_stamp.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "gtest/gtest.h"

namespace assay::processes {
namespace {

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

}  // namespace
}  // namespace assay::processes
