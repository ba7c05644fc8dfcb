#include "tools/compare/decision/decision.h"

#include <cmath>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace assay::compare {
namespace {

std::vector<double> Normal(int n, double mean, double sd, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<double> values(n);
  for (double& value : values) value = std::normal_distribution<double>(mean, sd)(random);
  return values;
}

TEST(Levels, ArePococks) {
  EXPECT_EQ(LevelsOf({.looks = 1}).difference, 0.05);
  EXPECT_EQ(LevelsOf({.looks = 2}).difference, 0.0294);
  EXPECT_EQ(LevelsOf({.looks = 3}).difference, 0.0221);
  // Two-sided 10 % is one-sided 5 %: half of .0607 and .0464 (constants 1.875 and 1.992).
  const double strict = kStrictErrorRate;
  EXPECT_EQ(LevelsOf({.looks = 1, .error_rate = strict}).difference, 0.005);
  EXPECT_NEAR(LevelsOf({.looks = 2, .error_rate = strict}).difference,
              std::erfc(2.995 / std::sqrt(2.0)), 1e-5);
  EXPECT_NEAR(LevelsOf({.looks = 3, .error_rate = strict}).difference,
              std::erfc(3.093 / std::sqrt(2.0)), 1e-5);
  EXPECT_EQ(LevelsOf({.looks = 1, .error_rate = strict}).equivalence, 0.05);
  EXPECT_NEAR(LevelsOf({.looks = 2}).equivalence, 0.5 * std::erfc(1.875 / std::sqrt(2.0)), 1e-4);
  EXPECT_NEAR(LevelsOf({.looks = 3}).equivalence, 0.5 * std::erfc(1.992 / std::sqrt(2.0)), 1e-4);
  EXPECT_NEAR(LevelsOf({.looks = 2}).difference, std::erfc(2.178 / std::sqrt(2.0)), 1e-4);
  EXPECT_NEAR(LevelsOf({.looks = 3}).difference, std::erfc(2.289 / std::sqrt(2.0)), 1e-4);
}

// Simulates a million campaigns of normal statistics: all looks together spend 5 %.
TEST(Levels, SpendFivePercentOverAllLooks) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  constexpr int kTrials = 200000;
  for (const auto& [looks, critical] :
       std::vector<std::pair<int, double>>{{2, 2.178}, {3, 2.289}}) {
    int alarms = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      double sum = 0;
      bool alarm = false;
      for (int look = 1; look <= looks; ++look) {
        sum += normal(random);
        alarm |= std::abs(sum / std::sqrt(look)) > critical;
      }
      alarms += alarm;
    }
    EXPECT_NEAR(alarms / static_cast<double>(kTrials), 0.05, 0.0025) << looks;
  }
}

TEST(ChooseMethod, UsesRanksWhereTheirSmallestPValueSuffices) {
  const DecisionRules rules;
  EXPECT_EQ(ChooseMethod(9, 1, rules), Method::kPairedT);
  EXPECT_EQ(ChooseMethod(10, 1, rules), Method::kSignedRank);
  EXPECT_EQ(ChooseMethod(18, 300, rules), Method::kModeratedT);
  EXPECT_EQ(ChooseMethod(19, 300, rules), Method::kSignedRank);
  EXPECT_EQ(ChooseMethod(100000, 1, rules), Method::kSignedRank);
}

Estimate Between(double low, double high) {
  Estimate estimate;
  estimate.interval = estimate.same_interval = {std::log(low), std::log(high)};
  return estimate;
}

struct DecisionCase {
  double low, high, q;
  Conclusion verdict;
};

TEST(Decide, NeedsSignificanceAndAnIntervalBeyondHalfAPercent) {
  for (const DecisionCase& c : std::vector<DecisionCase>{
           {1.006, 1.020, 0.001, Conclusion::kSlower},
           {1.006, 1.020, 0.03, Conclusion::kInconclusive},   // no longer after the correction
           {1.004, 1.020, 0.001, Conclusion::kInconclusive},  // reaches below what matters
           {0.980, 0.994, 0.001, Conclusion::kFaster},
           {0.980, 0.996, 0.001, Conclusion::kInconclusive},
           {0.995, 1.005, 0.9, Conclusion::kSame},
           {1.001, 1.004, 1e-9, Conclusion::kSame},    // real, but too small to matter
           {1.006, 1.009, 1e-9, Conclusion::kSlower},  // within delta, although different from 0
           {0.995, 1.011, 0.9, Conclusion::kInconclusive}}) {
    EXPECT_EQ(Decide(Between(c.low, c.high), c.q, {}), c.verdict) << c.low << " " << c.high;
  }
}

TEST(Decide, SwappingTheSidesMirrorsTheVerdict) {
  for (const double low : {0.97, 0.99, 0.999, 1.001, 1.0051, 1.02}) {
    for (const double width : {1.001, 1.008, 1.03}) {
      const Conclusion verdict = Decide(Between(low, low * width), 0.001, {});
      const Conclusion mirror = Decide(Between(1 / (low * width), 1 / low), 0.001, {});
      EXPECT_EQ(mirror, verdict == Conclusion::kSlower   ? Conclusion::kFaster
                        : verdict == Conclusion::kFaster ? Conclusion::kSlower
                                                         : verdict);
    }
  }
}

TEST(Estimates, ShiftWithTheDataAndHoldTheFigure) {
  for (const int pairs : {6, 20}) {
    const std::vector<double> values = Normal(pairs, 0, 0.02, 3);
    std::vector<double> shifted = values;
    for (double& value : shifted) value += 0.1;
    const auto a = EstimateAll({values}, {}), b = EstimateAll({shifted}, {});
    ASSERT_TRUE(a[0].has_value() && b[0].has_value());
    EXPECT_NEAR(b[0]->log_ratio - a[0]->log_ratio, 0.1, 1e-12);
    EXPECT_NEAR(b[0]->interval.low - a[0]->interval.low, 0.1, 1e-12);
    EXPECT_LT(a[0]->interval.low, a[0]->log_ratio);
    EXPECT_GT(a[0]->interval.high, a[0]->log_ratio);
    EXPECT_LE(a[0]->interval.low, a[0]->same_interval.low);  // level 97.8 %, not 95.4 %
    EXPECT_LT(b[0]->p_value, 0.001);
  }
}

TEST(Estimates, OneWildPairHardlyMovesRanks) {
  std::vector<double> values = Normal(20, 0, 0.02, 4);
  const auto before = EstimateAll({values}, {});
  values[7] = std::log(3.0);
  const auto after = EstimateAll({values}, {});
  EXPECT_LT(after[0]->interval.high - after[0]->interval.low,
            1.5 * (before[0]->interval.high - before[0]->interval.low));
  EXPECT_GT(after[0]->sd, 5 * before[0]->sd);
}

TEST(Estimates, EqualPairsGiveAnIntervalWithoutWidth) {
  for (const size_t pairs : {2u, 6u, 20u}) {
    const auto estimates = EstimateAll({std::vector<double>(pairs, 0.0)}, {}, 1);
    ASSERT_TRUE(estimates[0].has_value()) << pairs;
    EXPECT_EQ(estimates[0]->interval.low, 0);
    EXPECT_EQ(estimates[0]->interval.high, 0);
    EXPECT_EQ(estimates[0]->p_value, 1);
    EXPECT_EQ(Decide(*estimates[0], 1, {}), Conclusion::kSame);
    EXPECT_FALSE(estimates[0]->opinions_differ);
  }
}

TEST(Estimates, TooFewPairsGiveNone) {
  const auto estimates = EstimateAll({{}, {0.1}}, {});
  EXPECT_FALSE(estimates[0].has_value());
  EXPECT_FALSE(estimates[1].has_value());
}

TEST(Estimates, ManyCasesLendEachOtherTheirVariance) {
  std::vector<std::vector<double>> series;
  for (int i = 0; i < 40; ++i) series.push_back(Normal(5, 0, 0.02, 100 + i));
  const auto alone = EstimateAll({series[0]}, {});
  const auto together = EstimateAll(series, {});
  EXPECT_EQ(alone[0]->method, Method::kPairedT);
  EXPECT_EQ(together[0]->method, Method::kModeratedT);
  double widest = 0, narrowest = 1;
  for (const auto& estimate : together) {
    widest = std::max(widest, estimate->interval.high - estimate->interval.low);
    narrowest = std::min(narrowest, estimate->interval.high - estimate->interval.low);
  }
  EXPECT_LT(widest / narrowest, 3);  // t with 4 degrees of freedom spreads by 5 and more
}

TEST(Estimates, OnlyTheWantedAreMade) {
  const auto estimates =
      EstimateAll({Normal(20, 0, 1, 1), Normal(20, 0, 1, 2)}, {}, {}, {false, true});
  EXPECT_FALSE(estimates[0].has_value());
  EXPECT_TRUE(estimates[1].has_value());
}

TEST(Unpaired, NeedsTwoProcessesASide) {
  EXPECT_FALSE(EstimateUnpaired(std::vector<double>{1.0}, std::vector<double>{1.0, 1.1}, {}).ok());
  const auto estimate = EstimateUnpaired(Normal(12, 1.0, 0.001, 1), Normal(10, 1.05, 0.001, 2), {});
  ASSERT_TRUE(estimate.ok());
  EXPECT_NEAR(estimate->log_ratio, 0.05, 0.002);
  EXPECT_EQ(Decide(*estimate, estimate->p_value, {}), Conclusion::kSlower);
}

TEST(SmallestVisibleEffect, GrowsWithNoiseAndShrinksWithPairs) {
  const auto visible = [](int pairs, double sd) {
    const auto estimates = EstimateAll({Normal(pairs, 0, sd, 5)}, {});
    return *SmallestVisibleEffect(*estimates[0], {});
  };
  EXPECT_GT(visible(20, 0.02), visible(60, 0.02));
  EXPECT_GT(visible(20, 0.04), visible(20, 0.02));
  EXPECT_GT(visible(60, 1e-6), 0.005);  // never below smallest_effect
  EXPECT_EQ(*SmallestVisibleEffect(*EstimateAll({std::vector<double>(20, 0.0)}, {})[0], {}), 0.005);
}

}  // namespace
}  // namespace assay::compare
