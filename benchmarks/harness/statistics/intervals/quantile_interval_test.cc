#include "benchmarks/harness/statistics/intervals/quantile_interval.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "benchmarks/harness/statistics/testing/draws.h"
#include "benchmarks/harness/statistics/testing/golden.h"
#include "gtest/gtest.h"

namespace assay::statistics {
namespace {

TEST(QuantileIntervalRanks, AgreeWithSciPy) {
  for (const auto& c : Goldens("quantile_ranks")) {
    const auto ranks = QuantileIntervalRanks(c["n"], c["probability"], c["confidence"]);
    ASSERT_EQ(ranks.ok(), c["exists"].get<bool>()) << c;
    if (!ranks.ok()) continue;
    EXPECT_EQ(ranks->low, c["low"].get<int64_t>()) << c;
    EXPECT_EQ(ranks->high, c["high"].get<int64_t>()) << c;
    EXPECT_NEAR(ranks->coverage, c["coverage"], 1e-9) << c;
  }
}

TEST(QuantileIntervalRanks, ExistFromTheStatedNumberOfSamplesOn) {
  EXPECT_EQ(SamplesForQuantileInterval(0.5), 6);
  EXPECT_EQ(SamplesForQuantileInterval(0.9), 36);
  EXPECT_EQ(SamplesForQuantileInterval(0.99), 368);
  for (double p : {0.01, 0.1, 0.3, 0.5, 0.77, 0.99}) {
    for (double confidence : {0.5, 0.9, 0.95, 0.999}) {
      const int64_t needed = SamplesForQuantileInterval(p, confidence);
      EXPECT_TRUE(QuantileIntervalRanks(needed, p, confidence).ok()) << p << " " << confidence;
      const auto refused = QuantileIntervalRanks(needed - 1, p, confidence);
      EXPECT_EQ(refused.status().code(), absl::StatusCode::kFailedPrecondition);
      EXPECT_NE(refused.status().message().find("needs " + std::to_string(needed)),
                std::string::npos);
    }
  }
}

TEST(QuantileIntervalRanks, NeverPromiseLessThanAskedAndAreMirrored) {
  for (double p : {0.05, 0.25, 0.5, 0.9}) {
    for (int64_t n = SamplesForQuantileInterval(p); n < 600; ++n) {
      const auto ranks = QuantileIntervalRanks(n, p);
      ASSERT_TRUE(ranks.ok());
      EXPECT_GE(ranks->coverage, 0.95 - 1e-9);
      ASSERT_LE(1, ranks->low);
      ASSERT_LT(ranks->low, ranks->high);
      ASSERT_LE(ranks->high, n);
      const auto mirrored = QuantileIntervalRanks(n, 1 - p);
      EXPECT_EQ(mirrored->low, n + 1 - ranks->high) << n << " " << p;
    }
  }
}

// Of 10 samples one or none lies below the median with probability 11 / 1024. A limit that is less by a
// billionth is the same, rounded.
TEST(QuantileIntervalRanks, AllowForTheRoundingOfAConfidence) {
  for (const auto& [share, rank] : {std::pair{0.95e-9, 2}, {1.05e-9, 1}}) {
    const auto ranks = QuantileIntervalRanks(10, 0.5, 1 - 2 * 11.0 / 1024 * (1 - share));
    ASSERT_TRUE(ranks.ok()) << ranks.status();
    EXPECT_EQ(ranks->low, rank) << share;
    EXPECT_EQ(ranks->high, 11 - rank) << share;
  }
  for (const auto& [more, samples] : {std::pair{0.95e-9, 6}, {1.05e-9, 7}}) {
    EXPECT_EQ(SamplesForQuantileInterval(0.5, 1 - 2 * std::pow(0.5, 6 + more)), samples) << more;
  }
}

// The normal approximation has caught up by then, to within a rank or two.
TEST(QuantileIntervalRanks, AreRightForTenMillionSamples) {
  for (double p : {0.5, 0.9, 0.999}) {
    const double n = 1e7, sd = std::sqrt(n * p * (1 - p));
    const auto ranks = QuantileIntervalRanks(static_cast<int64_t>(n), p);
    ASSERT_TRUE(ranks.ok());
    EXPECT_NEAR(ranks->low, n * p - 1.959964 * sd, 3);
    EXPECT_NEAR(ranks->high, n * p + 1.959964 * sd, 3);
    EXPECT_NEAR(ranks->coverage, 0.95, 1e-3);
  }
}

TEST(QuantileIntervalRanks, RefuseNonsense) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  for (double bad : {0.0, 1.0, -0.1, 1.1, kNan}) {
    EXPECT_EQ(QuantileIntervalRanks(100, bad).status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(QuantileIntervalRanks(100, 0.5, bad).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
}

// The staircase: what is covered is the exact coverage of these ranks, not 95 %.
TEST(QuantileInterval, CoversTheTrueQuantileAsOftenAsItPromises) {
  const double p90_of_normal = 1.2815515655446004, median_of_skewed = (1 - std::exp(0.045)) / 0.3;
  const struct {
    Shape shape;
    double probability, truth;
    int count;
  } cases[] = {{Shape::kNormal, 0.9, p90_of_normal, 36},
               {Shape::kNormal, 0.9, p90_of_normal, 50},
               {Shape::kNormal, 0.9, p90_of_normal, 200},
               {Shape::kNormal, 0.5, 0, 6},
               {Shape::kNormal, 0.5, 0, 10},
               {Shape::kSkewed, 0.5, median_of_skewed, 10},
               {Shape::kSkewed, 0.5, median_of_skewed, 50},
               {Shape::kBimodal, 0.5, 0, 20},
               {Shape::kBimodal, 0.5, 0, 50}};
  for (const auto& c : cases) {
    constexpr int kSets = 8000;
    const double seen = Coverage(
        c.shape, c.count, kSets, 11,
        [&](std::vector<double> x) {
          std::sort(x.begin(), x.end());
          return *QuantileInterval(x, c.probability);
        },
        c.truth);
    const double promised = QuantileIntervalRanks(c.count, c.probability)->coverage;
    const double four_errors = 4 * std::sqrt(promised * (1 - promised) / kSets);
    EXPECT_NEAR(seen, promised, four_errors) << c.count << " p" << c.probability;
    RecordProperty("coverage_" + std::to_string(&c - cases), std::to_string(seen));
  }
}

// The header's caveat, so that nobody believes the interval where it does not hold.
TEST(QuantileInterval, FallsShortForSamplesThatDependOnTheirPredecessors) {
  const double seen = Coverage(Shape::kAutoregressive, 50, 8000, 12, [](std::vector<double> x) {
    std::sort(x.begin(), x.end());
    return *QuantileInterval(x, 0.5);
  });
  std::printf("median interval, n = 50, correlation 0.3: coverage %.4f\n", seen);
  EXPECT_LT(seen, 0.93);
  EXPECT_GT(seen, 0.85);
}

}  // namespace
}  // namespace assay::statistics
