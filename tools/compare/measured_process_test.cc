#include "tools/compare/measured_process.h"

#include <signal.h>

#include <fstream>
#include <string>

#include "absl/strings/match.h"
#include "absl/time/clock.h"
#include "benchmarks/harness/record/outcome.h"
#include "gtest/gtest.h"

namespace assay::compare {
namespace {

MeasuredProcess Measured(const std::string& behave, std::vector<std::string> more = {},
                         absl::Duration timeout = absl::Seconds(60)) {
  MeasuredCommand command{.command = {"tools/compare/hostile_runner"},
                          .flags = {"--behave=" + behave},
                          .timeout = timeout,
                          .padding_bytes = 100};
  command.flags.insert(command.flags.end(), more.begin(), more.end());
  return RunMeasured(command, nullptr);
}

TEST(MeasuredProcess, GivesOneMedianForEachMode) {
  const MeasuredProcess process = Measured("well", {"--median=2000"});
  EXPECT_TRUE(process.Usable()) << process.message;
  ASSERT_EQ(process.medians.size(), 1u);
  EXPECT_EQ(process.medians[0].mode, "wall");
  EXPECT_NEAR(process.medians[0].median_ns, 2000, 2);
  EXPECT_TRUE(process.medians[0].flags.empty());
}

struct Failure {
  std::string behave;
  Outcome outcome;
  std::string message;  // part of it
};

class Hostile : public testing::TestWithParam<Failure> {};

TEST_P(Hostile, IsNamedForWhatItIs) {
  const MeasuredProcess process = Measured(GetParam().behave);
  EXPECT_EQ(process.outcome, GetParam().outcome) << record::OutcomeName(process.outcome);
  EXPECT_FALSE(process.Usable());
  EXPECT_TRUE(process.medians.empty());
  EXPECT_TRUE(absl::StrContains(process.message, GetParam().message)) << process.message;
}

INSTANTIATE_TEST_SUITE_P(
    Programs, Hostile,
    testing::Values(Failure{"throw", CRASH, "Aborted"}, Failure{"allocate", CRASH, "bad_alloc"},
                    Failure{"killed", CRASH, "perhaps out of memory"},
                    Failure{"segv", CRASH, "Segmentation fault"},
                    Failure{"exit0", CRASH, "half of the work"},
                    Failure{"exit0", CRASH, "without a complete record (exit code 0)"},
                    Failure{"torn", CRASH, "line 1"}, Failure{"newer", CRASH, "another version"},
                    Failure{"nan", CRASH, "nan"}, Failure{"negative", CRASH, "-5 ns"},
                    Failure{"twice", CRASH, "several records"},
                    Failure{"die_after_record", CRASH, "its record says PASS"},
                    Failure{"usage", OUTCOME_UNSPECIFIED, "command line"},
                    Failure{"accuracy", FAIL_ACCURACY, "said so"},
                    Failure{"no_device", NO_DEVICE, "said so"}),
    [](const auto& info) { return info.param.behave + std::to_string(info.index); });

TEST(MeasuredProcess, HangingIsATimeoutAndItsChildDiesToo) {
  const std::string pid_file = testing::TempDir() + "/pid";
  const MeasuredProcess process =
      Measured("hang", {"--pid_file=" + pid_file}, absl::Milliseconds(500));
  EXPECT_EQ(process.outcome, TIMEOUT);
  EXPECT_TRUE(absl::StrContains(process.message, "killed with all it started")) << process.message;
  int pid = 0;
  std::ifstream(pid_file) >> pid;
  ASSERT_GT(pid, 0);
  const auto sleeps = [&] {
    std::ifstream status("/proc/" + std::to_string(pid) + "/stat");
    std::string number, name, state;
    return static_cast<bool>(status >> number >> name >> state) && state == "S";
  };
  for (int i = 0; i < 100 && sleeps(); ++i) absl::SleepFor(absl::Milliseconds(20));
  EXPECT_FALSE(sleeps());
}

TEST(MeasuredProcess, OutputThatNobodyReadsDoesNotBlockIt) {
  EXPECT_TRUE(Measured("chatty").Usable());
}

TEST(MeasuredProcess, CarriesFlaggedChecks) {
  const MeasuredProcess process = Measured("well", {"--check=flagged"});
  ASSERT_EQ(process.medians.size(), 1u);
  EXPECT_EQ(process.medians[0].flags, std::vector<std::string>{"steady: never"});
}

TEST(MeasuredProcess, SaysThatAProgramIsMissing) {
  const MeasuredProcess process = RunMeasured({.command = {"/no/such/program"}}, nullptr);
  EXPECT_EQ(process.outcome, CRASH);
  EXPECT_TRUE(absl::StrContains(process.message, "/no/such/program")) << process.message;
}

TEST(Traits, DifferInWhatMakesARatioMeaningless) {
  const MeasuredProcess a = Measured("well"), b = Measured("well", {"--dtype=BF16"});
  EXPECT_TRUE(Differences(a.traits, a.traits).empty());
  EXPECT_EQ(Differences(a.traits, b.traits), std::vector<std::string>{"dtype: FP32 against BF16"});
  EXPECT_EQ(Differences(a.traits, Measured("well", {"--machine=other"}).traits).size(), 1u);
}

TEST(Traits, OtherWeightsAreAnotherWorkload) {
  Record seeded, loaded;
  loaded.mutable_weights()->set_name("model.safetensors");
  loaded.mutable_weights()->set_sha256("0123456789abcdef");
  EXPECT_EQ(Differences(TraitsOf(seeded), TraitsOf(loaded)),
            std::vector<std::string>{"weights: seeded against model.safetensors sha256 01234567"});
}

}  // namespace
}  // namespace assay::compare
