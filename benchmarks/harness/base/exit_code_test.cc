#include "benchmarks/harness/base/exit_code.h"

#include "gtest/gtest.h"

namespace assay::base {
namespace {

TEST(ExitCode, AWrongProductIsWorseThanAllElse) {
  EXPECT_EQ(WorseCode(kRight, kRight), 0);
  EXPECT_EQ(WorseCode(kRight, kSurroundings), 2);
  EXPECT_EQ(WorseCode(kProductWrong, kSurroundings), 1);
  EXPECT_EQ(WorseCode(kUsageError, kProductWrong), 1);
  EXPECT_EQ(WorseCode(kSurroundings, kUsageError), 3);
}

TEST(ExitCode, FailNamesTheProgramOnStandardError) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(Fail("compare", "no such case", kUsageError), 3);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "compare: no such case\n");
}

}  // namespace
}  // namespace assay::base
