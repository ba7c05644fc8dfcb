#include "benchmarks/harness/load/load_generator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::load {
namespace {

TEST(LoadGenerator, ReadsTheNamesOfScenarios) {
  for (const Scenario scenario :
       {Scenario::kSingleStream, Scenario::kMultiStream, Scenario::kServer, Scenario::kOffline}) {
    const absl::StatusOr<Scenario> read = ParseScenario(ScenarioName(scenario));
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(*read, scenario);
  }
  EXPECT_THAT(ParseScenario("servr").status().message(),
              testing::HasSubstr("'servr': one of single_stream, multi_stream, server, offline"));
}

}  // namespace
}  // namespace assay::load
