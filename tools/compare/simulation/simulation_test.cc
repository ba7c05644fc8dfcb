#include "tools/compare/simulation/simulation.h"

#include "gtest/gtest.h"

namespace assay::compare {
namespace {

constexpr int kCampaigns = 3000;

class Noise : public testing::TestWithParam<NoiseKind> {};

// The stated rate of false FASTER or SLOWER is 5 % of campaigns. The extra demand for an interval
// beyond 0.5 % makes the true rate much lower; more than 1 % would be a fault.
TEST_P(Noise, FalseAlarmsStayWithinTheStatedRate) {
  const SimulationResult result =
      Simulate({.conditions = {.kind = GetParam(), .pair_sd = 0.02}, .campaigns = kCampaigns});
  EXPECT_LT(ShareInterval(result.alarming, result.campaigns).high, 0.01);
}

// At the edge: a true 0.5 % must not be called "beyond 0.5 %" in more than 2.5 % of campaigns.
TEST_P(Noise, AnEffectAtTheEdgeIsSeldomCalled) {
  const SimulationResult result = Simulate(
      {.conditions = {.kind = GetParam(), .pair_sd = 0.01, .effect = 0.005}, .campaigns = 1500});
  EXPECT_LT(ShareInterval(result.found, result.true_effects).low, 0.025);
}

// At the other edge: a true difference of delta must not be called SAME in more than 5 %.
TEST_P(Noise, ADifferenceOfDeltaIsSeldomCalledTheSame) {
  const SimulationResult result = Simulate(
      {.conditions = {.kind = GetParam(), .pair_sd = 0.02, .effect = 0.01}, .campaigns = 1500});
  const auto same = static_cast<int64_t>(result.verdicts[static_cast<int>(Conclusion::kSame)]);
  EXPECT_LT(ShareInterval(same, result.series).low, 0.05);
}

TEST_P(Noise, TwoPercentIsFoundAtTheNoiseForWhichItIsPromised) {
  const SimulationResult result = Simulate(
      {.conditions = {.kind = GetParam(), .pair_sd = 0.02, .effect = 0.02}, .campaigns = 2000});
  EXPECT_GT(ShareInterval(result.found, result.true_effects).low, 0.95);
}

TEST_P(Noise, IntervalsHoldTheTruth) {
  const SimulationResult result = Simulate({.conditions = {.kind = GetParam(), .pair_sd = 0.02},
                                            .campaigns = 1500,
                                            .rules = {.looks = 1}});
  EXPECT_GT(ShareInterval(result.covered, result.series).high, 0.95);
}

TEST_P(Noise, ManyCasesRaiseNoMoreFalseAlarms) {
  for (const int pairs : {8, 20}) {
    const SimulationResult result = Simulate(
        {.conditions = {.kind = GetParam(), .pair_sd = 0.02, .effect = 0.05, .affected_cases = 3},
         .campaigns = 70,
         .cases = 30,
         .pairs = pairs});
    // The share of false calls among all calls, which Benjamini and Hochberg's procedure bounds.
    const int64_t called = result.found + result.false_alarms;
    EXPECT_LT(ShareInterval(result.false_alarms, called).low, 0.05) << pairs;
    EXPECT_GT(result.Power(), 0.9) << pairs;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Noise,
                         testing::Values(NoiseKind::kNormal, NoiseKind::kT3, NoiseKind::kSpells),
                         [](const auto& info) { return std::string(NoiseName(info.param)); });

TEST(Simulation, AlarmsAreSymmetric) {
  // Little noise, so that both directions are called often enough to count: pairs of .5 % truth.
  int64_t slower = 0, faster = 0;
  for (const double effect : {0.008, 1 / 1.008 - 1}) {
    const SimulationResult result =
        Simulate({.conditions = {.pair_sd = 0.01, .effect = effect}, .campaigns = 2000});
    (effect > 0 ? slower : faster) = result.found;
  }
  EXPECT_GT(slower, 200);
  EXPECT_NEAR(static_cast<double>(slower), static_cast<double>(faster),
              5 * std::sqrt(2 * 2000 * 0.25));
}

TEST(Threshold, FindsWhatIsLargerThanItselfAndTheNoise) {
  const auto share = [](const SimulatedConditions& conditions, double threshold) {
    return static_cast<double>(RunsAboveThreshold(conditions, threshold, kCampaigns)) / kCampaigns;
  };
  EXPECT_EQ(share({.pair_sd = 0.02, .effect = 0.05}, 0.2), 0);
  EXPECT_GT(share({.pair_sd = 0.02, .effect = 0.5}, 0.35), 0.99);
  // Half of the runs are above the threshold if the effect is equal to it: the noise is symmetric.
  EXPECT_NEAR(share({.pair_sd = 0.02, .effect = 0.2}, 0.2), 0.5, 0.05);
  // A pair's log ratio has this deviation: one deviation above the effect is exceeded in 15.9 %.
  EXPECT_NEAR(share({.pair_sd = 0.1}, std::exp(0.1) - 1), 0.159, 0.03);
  // A spell of 2 to 30 % that begins in one process of twenty is seldom above 20 %.
  EXPECT_NEAR(share({.kind = NoiseKind::kSpells, .pair_sd = 0.02}, 0.2), 0.017, 0.012);
}

TEST(Simulation, DriftRaisesNoAlarm) {
  const SimulationResult result =
      Simulate({.conditions = {.pair_sd = 0.02, .drift = 0.002}, .campaigns = 2000});
  EXPECT_LT(ShareInterval(result.alarming, result.campaigns).high, 0.01);
}

}  // namespace
}  // namespace assay::compare
