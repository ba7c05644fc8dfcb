#include "tools/compare/decision/signed_rank_interval.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "benchmarks/harness/statistics/describe/location.h"
#include "benchmarks/harness/statistics/tests/signed_rank.h"
#include "gtest/gtest.h"

namespace assay::compare {
namespace {

// Wilcoxon's published critical values (two-sided .05; Hollander and Wolfe, table A.4) plus one.
TEST(SignedRankInterval, HasTheRanksOfTheTables) {
  for (const auto& [n, rank] : std::vector<std::pair<int, int>>{
           {5, 0}, {6, 1}, {8, 4}, {10, 9}, {12, 14}, {15, 26}, {20, 53}, {25, 90}, {30, 138}}) {
    EXPECT_EQ(SignedRankIntervalRank(n, 0.95), rank) << n;
  }
}

TEST(SignedRankInterval, TheNormalApproximationMeetsTheExactRanks) {
  // 300 is exact and 301 is not; the rank grows with n^2, and by less than 1 % here.
  const auto exact = static_cast<double>(SignedRankIntervalRank(300, 0.95));
  const auto normal = static_cast<double>(SignedRankIntervalRank(301, 0.95));
  EXPECT_GT(normal, exact);
  EXPECT_LT(normal, exact * 1.01);
}

TEST(SignedRankInterval, IsTheRangeOfSixValues) {
  const auto interval = SignedRankInterval({3.0, 1.0, 2.0, 6.0, 5.0, 4.0}, 0.95);
  ASSERT_TRUE(interval.ok());
  EXPECT_EQ(interval->low, 1.0);
  EXPECT_EQ(interval->high, 6.0);
  EXPECT_FALSE(SignedRankInterval({3.0, 1.0, 2.0, 6.0, 5.0}, 0.95).ok());
}

TEST(SignedRankInterval, HoldsTheEstimateAndExcludesZeroWhenTheTestRejects) {
  std::mt19937_64 random(5);
  int rejected = 0;
  for (int trial = 0; trial < 400; ++trial) {
    std::vector<double> values(8 + trial % 25);
    for (double& value : values) {
      value = std::student_t_distribution<double>(3)(random) + 0.02 * (trial % 30);
    }
    const auto interval = SignedRankInterval(values, 0.95);
    const auto test = statistics::SignedRank(values, statistics::Method::kExact);
    ASSERT_TRUE(interval.ok() && test.ok());
    const double estimate = statistics::HodgesLehmann(values);
    EXPECT_LE(interval->low, estimate);
    EXPECT_GE(interval->high, estimate);
    const bool excludes = interval->low > 0 || interval->high < 0;
    EXPECT_EQ(excludes, test->p_value <= 0.05) << trial << " p " << test->p_value;
    rejected += excludes;
  }
  EXPECT_GT(rejected, 20);
  EXPECT_LT(rejected, 380);
}

TEST(SignedRankInterval, CoversHeavyTailsAsPromised) {
  std::mt19937_64 random(6);
  int covered = 0;
  constexpr int kTrials = 4000;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<double> values(20);
    for (double& value : values) value = std::cauchy_distribution<double>(7, 1)(random);
    const auto interval = SignedRankInterval(values, 0.95);
    covered += interval->low <= 7 && 7 <= interval->high;
  }
  // The level attained by ranks is .9516; five standard deviations of 4000 trials are .017.
  EXPECT_NEAR(covered / static_cast<double>(kTrials), 0.9516, 0.017);
}

}  // namespace
}  // namespace assay::compare
