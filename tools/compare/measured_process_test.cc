#include "tools/compare/measured_process.h"

#include <string>
#include <tuple>

#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace assay::compare {
namespace {

MeasuredProcess Measured(const std::string& behave, std::vector<std::string> more = {},
                         absl::Duration timeout = absl::Seconds(60)) {
  MeasuredCommand command{.command = {"tools/processes/hostile_runner"},
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

TEST(MeasuredProcess, WithoutAMedianItIsOfNoUse) {
  for (const auto& [behave, outcome, message] :
       {std::tuple{"nan", CRASH, "nan"}, std::tuple{"negative", CRASH, "-5 ns"},
        std::tuple{"exit0", CRASH, "half of the work"},
        std::tuple{"die_after_record", CRASH, "says PASS"},
        std::tuple{"accuracy", FAIL_ACCURACY, "said so"}}) {
    const MeasuredProcess process = Measured(behave);
    EXPECT_EQ(process.outcome, outcome) << behave;
    EXPECT_FALSE(process.Usable()) << behave;
    EXPECT_TRUE(process.medians.empty()) << behave;
    EXPECT_TRUE(absl::StrContains(process.message, message)) << process.message;
  }
}

TEST(MeasuredProcess, CarriesFlaggedChecks) {
  const MeasuredProcess process = Measured("well", {"--check=flagged"});
  ASSERT_EQ(process.medians.size(), 1u);
  EXPECT_EQ(process.medians[0].flags, std::vector<std::string>{"steady: never"});
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
