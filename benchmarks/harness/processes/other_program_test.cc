#include "benchmarks/harness/processes/other_program.h"

#include <unistd.h>

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::processes {
namespace {

using testing::HasSubstr;

TEST(RunShown, GivesTheExitCode) {
  EXPECT_EQ(*RunShown({"sh", "-c", "exit 5"}), 5);
  EXPECT_EQ(*RunShown({"sh", "-c", "kill -9 $$"}), 128 + 9);
}

TEST(RunShown, WhatTheProgramPrintsGoesToStandardError) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  EXPECT_EQ(*RunShown({"sh", "-c", "echo out; echo err >&2"}), 0);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "out\nerr\n");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(RunShown, TheProgramStaysInThisProcessesGroup) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(*RunShown({"sh", "-c", "cut -d' ' -f5 /proc/$$/stat"}), 0);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), std::to_string(getpgrp()) + "\n");
}

TEST(RunShown, NamesAProgramThatIsNotThere) {
  const absl::Status status = RunShown({"/nonexistent/nsys"}).status();
  EXPECT_TRUE(absl::IsUnavailable(status));
  EXPECT_THAT(status.message(), HasSubstr("cannot start /nonexistent/nsys: No such file"));
}

TEST(ReplaceByDeathTest, BecomesTheProgram) {
  EXPECT_EXIT(ReplaceBy({"sh", "-c", "echo \"$0 $1\" >&2; exit 7", "a b", "c"}).IgnoreError(),
              testing::ExitedWithCode(7), "a b c");
}

TEST(ReplaceByDeathTest, SaysWhyItCannot) {
  EXPECT_THAT(ReplaceBy({"/nonexistent/program"}).message(),
              HasSubstr("cannot start /nonexistent/program: No such file"));
}

}  // namespace
}  // namespace assay::processes
