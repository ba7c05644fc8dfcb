#include "benchmarks/harness/statistics/describe/quantile.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace assay::statistics {
namespace {

// numpy.quantile([2, 3, 5, 7, 11, 13, 17, 19, 23, 29], p), default method "linear".
TEST(Quantile, AgreesWithNumPy) {
  const std::vector<double> primes = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29};
  const struct {
    double probability, want;
  } cases[] = {{0, 2},    {0.05, 2.45}, {0.1, 2.9},  {0.25, 5.5},  {1.0 / 3, 7},
               {0.5, 12}, {0.75, 18.5}, {0.9, 23.6}, {0.95, 26.3}, {1, 29}};
  for (const auto& c : cases) {
    EXPECT_NEAR(Quantile(primes, c.probability), c.want, 1e-12) << c.probability;
  }
}

TEST(Quantile, OfOneSampleIsThatSample) {
  for (double p : {0.0, 0.3, 1.0}) EXPECT_EQ(Quantile({42.0}, p), 42.0);
}

TEST(Quantile, MovesWithShiftAndScale) {
  std::mt19937_64 random(1);
  std::lognormal_distribution<double> draw;
  std::vector<double> x(101), y;
  for (double& v : x) v = draw(random);
  std::sort(x.begin(), x.end());
  for (double v : x) y.push_back(3 * v + 7);
  for (int percent = 0; percent <= 100; ++percent) {
    const double p = percent / 100.0;
    EXPECT_NEAR(Quantile(y, p), 3 * Quantile(x, p) + 7, 1e-12 * Quantile(y, p));
  }
}

TEST(Quantile, NeverFallsAsTheProbabilityRises) {
  const std::vector<double> x = {1, 1, 1, 1 + 1e-15, 1e300};
  for (int i = 1; i <= 1000; ++i) {
    EXPECT_LE(Quantile(x, (i - 1) / 1000.0), Quantile(x, i / 1000.0)) << i;
  }
}

TEST(Median, IsTheMiddleOrTheMeanOfTheTwoMiddleOnes) {
  EXPECT_EQ(Median({1, 2, 100}), 2);
  EXPECT_EQ(Median({1, 2, 4, 100}), 3);
}

// The smallest n with 1 - p^n >= confidence: the table of MLPerf-style percentile rules.
TEST(SamplesForPercentile, IsTheDistributionFreeBound) {
  const struct {
    double probability;
    int64_t at_95, at_99;
  } cases[] = {{0.9, 29, 44}, {0.95, 59, 90}, {0.99, 299, 459}, {0.999, 2995, 4603}, {0.5, 5, 7}};
  for (const auto& c : cases) {
    EXPECT_EQ(SamplesForPercentile(c.probability), c.at_95);
    EXPECT_EQ(SamplesForPercentile(c.probability, 0.99), c.at_99);
    EXPECT_GE(1 - std::pow(c.probability, c.at_95), 0.95);
    EXPECT_LT(1 - std::pow(c.probability, c.at_95 - 1), 0.95);
  }
}

// 3 samples give the median's bound the confidence 1 - 0.5^3. One of 1 - 0.5^(3 (1 + 1e-12)) is the
// same, rounded; a higher one needs a fourth sample.
TEST(SamplesForPercentile, AllowsForTheRoundingOfAConfidence) {
  for (const auto& [share, samples] : {std::pair{0.95e-12, 3}, {1.05e-12, 4}}) {
    EXPECT_EQ(SamplesForPercentile(0.5, 1 - std::pow(0.5, 3 * (1 + share))), samples) << share;
  }
}

TEST(SamplesForPercentile, IsTheSameForBothTails) {
  EXPECT_EQ(SamplesForPercentile(0.1), SamplesForPercentile(0.9));
}

TEST(PercentileClaim, IsRefusedBelowTheSamplesItNeedsAndSaysHowMany) {
  std::vector<double> x(298);
  std::iota(x.begin(), x.end(), 1.0);
  const auto refused = PercentileClaim(x, 0.99);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_NE(refused.status().message().find("p99 needs 299 samples"), std::string::npos)
      << refused.status();
  x.push_back(299);
  const auto claimed = PercentileClaim(x, 0.99);
  ASSERT_TRUE(claimed.ok());
  EXPECT_NEAR(*claimed, 1 + 298 * 0.99, 1e-9);
}

TEST(PercentileClaim, OfNothingIsRefused) { EXPECT_FALSE(PercentileClaim({}, 0.5).ok()); }

}  // namespace
}  // namespace assay::statistics
