#include "benchmarks/harness/configuration/load_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "benchmarks/harness/configuration/case_flags.h"

namespace assay::configuration {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(LoadFlags, ReadLatencyBounds) {
  const absl::StatusOr<load::LatencyBound> bound = ParseLatencyBound("50ms@p99.9");
  ASSERT_TRUE(bound.ok());
  EXPECT_EQ(bound->bound, absl::Milliseconds(50));
  EXPECT_EQ(bound->share, 0.999);
  EXPECT_DOUBLE_EQ(ParseLatencyBound("1s")->share, 0.99);
  for (const char* wrong :
       {"", "@p99", "50ms@99", "50ms@p100", "50ms@p10", "0ms@p99", "-1s", "50", "50@p99"})
    EXPECT_FALSE(ParseLatencyBound(wrong).ok()) << wrong;
  EXPECT_THAT(FindFlag("ttft-bound")->read("50").status().message(), HasSubstr("with its unit"));
  EXPECT_TRUE(FindFlag("duration")->read("50").ok());
}

TEST(LoadFlags, ReadTimes) {
  EXPECT_EQ(*ParseTime("1m30s"), absl::Seconds(90));
  EXPECT_EQ(*ParseTime("2.5"), absl::Milliseconds(2500));
  EXPECT_EQ(*ParseTime("0"), absl::ZeroDuration());
  for (const char* wrong : {"", "ten", "-2ms", "inf", "nan", "10 seconds"})
    EXPECT_FALSE(ParseTime(wrong).ok()) << wrong;
}

TEST(LoadFlags, ReadRates) {
  EXPECT_THAT(RatesOf("5,10.5"), ElementsAre(5, 10.5));
  EXPECT_THAT(RatesOf("5,,10"), IsEmpty());
  const FlagSpec* const qps = FindFlag("qps");
  EXPECT_FALSE(qps->read("5,0").ok());
  EXPECT_FALSE(qps->read("inf").ok());
  EXPECT_EQ(*qps->read("05,1e1"), "5,10");
}

TEST(LoadFlags, StandBesideAScenarioOnly) {
  EXPECT_THAT(CheckFlags({{"qps", "5"}}).message(), HasSubstr("--scenario"));
  EXPECT_TRUE(CheckFlags({{"scenario", "server"}, {"qps", "5"}}).ok());
  EXPECT_THAT(CheckFlags({{"scenario", "server"}, {"modes", "wall"}}).message(),
              HasSubstr("under load only requests are timed"));
  EXPECT_THAT(CheckFlags({{"scenario", "server"}, {"qps", "5"}, {"find-peak", "true"}}).message(),
              HasSubstr("leave --qps out"));
  EXPECT_EQ(CheckFlags({{"scenario", "offline"}, {"qps", "5"}}).message(),
            "--qps: it is of --scenario=server, which is not given");
  EXPECT_THAT(CheckFlags({{"scenario", "single_stream"}, {"find-peak", "true"}}).message(),
              HasSubstr("--find-peak: it is of --scenario=server"));
  EXPECT_THAT(CheckFlags({{"scenario", "offline"}, {"latency-bound", "50ms@p99"}}).message(),
              HasSubstr("it is of --scenario=server, --scenario=single_stream or "));
}

}  // namespace
}  // namespace assay::configuration
