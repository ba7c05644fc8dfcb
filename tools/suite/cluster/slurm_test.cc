#include "tools/suite/cluster/slurm.h"

#include "gtest/gtest.h"

namespace assay::suite {
namespace {

// As squeue 22.05 printed them.
TEST(ReadQueue, TellsHowTasksEnded) {
  const Queue queue = ReadQueue(
      "1000|0|COMPLETED|0|n1|None|\n"
      "1000|5-9|PENDING|0||PartitionConfig|\n"
      "1000|4|RUNNING|0|n2|None|\n"
      "1000|1|FAILED|24832|n1|NonZeroExitCode|\n"
      "1000|2|FAILED|9|n2|JobLaunchFailure|\n"
      "2000|0|FAILED|4021|n1|JobLaunchFailure|\n"
      "2000|1|TIMEOUT|0|n1|TimeLimit|\nhalf a li");
  EXPECT_EQ(queue.waiting, 1);
  EXPECT_EQ(queue.running, 1);
  EXPECT_NE(queue.why_waiting.find("PartitionConfig"), std::string::npos);
  EXPECT_TRUE(queue.ended.at(1000).well);
  EXPECT_NE(queue.ended.at(1001).how.find("another there"), std::string::npos);
  EXPECT_EQ(queue.ended.at(1002).how, "Slurm: FAILED on n2: signal 9 (Killed)");
  EXPECT_NE(queue.ended.at(2000).how.find("could not be started"), std::string::npos);
  EXPECT_EQ(queue.ended.at(2001).outcome, TIMEOUT);
}

TEST(CheckSlurmFlags, RefusesThoseByWhichTasksAreFound) {
  EXPECT_TRUE(CheckSlurmFlags({"--partition=bench", "--time=5"}).ok());
  for (const char* flag : {"--array=3", "-J", "--output=x", "bench"}) {
    EXPECT_FALSE(CheckSlurmFlags({flag}).ok()) << flag;
  }
}

}  // namespace
}  // namespace assay::suite
