#include "benchmarks/harness/runner/serving/serving_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "benchmarks/harness/runner/verdict/run_status.h"

namespace assay::runner {
namespace {

using configuration::FlagValues;
using testing::HasSubstr;

std::string Refusal(const FlagValues& values) {
  return std::string(ReadServingSettings(values).status().message());
}

TEST(ServingSettings, AreThoseOfTheFlags) {
  const auto settings = **ReadServingSettings({{"scenario", "server"},
                                               {"qps", "5,10"},
                                               {"latency-bound", "50ms@p99.9"},
                                               {"duration", "2s"},
                                               {"workers", "2"},
                                               {"max-batch", "4"},
                                               {"max-wait", "2ms"},
                                               {"samples", "7"}});
  EXPECT_EQ(settings.load.scenario, load::Scenario::kServer);
  EXPECT_THAT(settings.rates, testing::ElementsAre(5, 10));
  EXPECT_EQ(settings.load.bound.bound, absl::Milliseconds(50));
  EXPECT_EQ(settings.load.duration, absl::Seconds(2));
  EXPECT_EQ(settings.workers, 2);
  EXPECT_EQ(settings.max_batch, 4);
  EXPECT_EQ(settings.max_wait, absl::Milliseconds(2));
  EXPECT_EQ(settings.samples, 7);
}

TEST(ServingSettings, NameAFileThatIsNotThere) {
  const absl::Status missing =
      ReadServingSettings({{"scenario", "server"}, {"arrivals", "/nowhere/a.jsonl"}}).status();
  EXPECT_EQ(OutcomeOf(missing), ARTIFACT_UNAVAILABLE);
  EXPECT_THAT(missing.message(), HasSubstr("--arrivals: /nowhere/a.jsonl: cannot be opened"));
}

TEST(ServingSettings, SayWhatAScenarioNeeds) {
  EXPECT_THAT(Refusal({{"scenario", "server"}}), HasSubstr("Give --qps=10"));
  EXPECT_THAT(Refusal({{"scenario", "server"}, {"find-peak", "true"}}),
              HasSubstr("which bound? Give --latency-bound"));
  EXPECT_THAT(Refusal({{"scenario", "server"}, {"qps", "5,0.05"}, {"duration", "10s"}}),
              HasSubstr("--qps=0.05: that is less than one query within --duration=10s; give "
                        "--duration=200s"));
}

}  // namespace
}  // namespace assay::runner
