#include "benchmarks/harness/statistics/intervals/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "benchmarks/harness/statistics/describe/moments.h"
#include "benchmarks/harness/statistics/testing/draws.h"
#include "benchmarks/harness/statistics/testing/golden.h"
#include "gtest/gtest.h"

namespace assay::statistics {
namespace {

double Middle(absl::Span<const double> values) {
  std::vector<double> v(values.begin(), values.end());
  std::nth_element(v.begin(), v.begin() + v.size() / 2, v.end());
  return v[v.size() / 2];
}

// SciPy draws other resamples: its ends' mean over 12 seeds has an error of sd / sqrt(12), ours one
// sd, at the same number of resamples. Five of both together.
TEST(BcaInterval, AgreesWithSciPyWithinMonteCarloError) {
  for (const auto& c : Goldens("bootstrap")) {
    const auto interval =
        BcaInterval(Numbers(c["x"]), c["statistic"] == "mean" ? Mean : StandardDeviation,
                    {.resamples = 20000, .seed = 5});
    ASSERT_TRUE(interval.ok()) << interval.status();
    const double errors = 5 * std::sqrt(1 + 1.0 / 12);
    EXPECT_NEAR(interval->low, c["low"], errors * c["low_sd"].get<double>()) << c["name"];
    EXPECT_NEAR(interval->high, c["high"], errors * c["high_sd"].get<double>()) << c["name"];
  }
}

TEST(BcaInterval, IsTheSameForTheSameSeedAndAnyOrderOfEqualValues) {
  const std::vector<double> x = {1, 2, 4, 8, 16, 32};
  const auto one = BcaInterval(x, Mean, {.seed = 1}), again = BcaInterval(x, Mean, {.seed = 1});
  const auto other = BcaInterval(x, Mean, {.seed = 2});
  EXPECT_EQ(one->low, again->low);
  EXPECT_EQ(one->high, again->high);
  EXPECT_NE(one->high, other->high);
}

TEST(BcaInterval, MovesWithShiftAndScale) {
  const std::vector<double> x = {1, 2, 4, 8, 16, 32, 7};
  std::vector<double> moved;
  for (double v : x) moved.push_back(1000 + 4 * v);
  const auto plain = BcaInterval(x, Mean), shifted = BcaInterval(moved, Mean);
  EXPECT_NEAR(shifted->low, 1000 + 4 * plain->low, 1e-9);
  EXPECT_NEAR(shifted->high, 1000 + 4 * plain->high, 1e-9);
}

// Any increasing transformation of the statistic transforms the interval: what BCa is for.
TEST(BcaInterval, RespectsTransformations) {
  const std::vector<double> x = {1, 2, 4, 8, 16, 32, 7, 3, 5};
  const BootstrapOptions options{.resamples = 20001, .seed = 3};
  const auto plain = BcaInterval(x, Middle, options);
  const auto logged = BcaInterval(
      x, [](absl::Span<const double> v) { return std::log(Middle(v)); }, options);
  EXPECT_NEAR(std::exp(logged->low), plain->low, 1e-9);
  EXPECT_NEAR(std::exp(logged->high), plain->high, 1e-9);
}

TEST(BcaInterval, OfAConstantStatisticIsAPoint) {
  const auto interval = BcaInterval({5, 5, 5}, Mean);
  ASSERT_TRUE(interval.ok());
  EXPECT_EQ(interval->low, 5);
  EXPECT_EQ(interval->high, 5);
  const auto extreme = BcaInterval({0, 0, 0, 0, 0, 0, 0, 0, 0, 1e300}, Mean);
  EXPECT_TRUE(std::isfinite(extreme->low) && std::isfinite(extreme->high));
}

// No resample of twenty numbers has all of them: each replicate lies below the estimate.
TEST(BcaInterval, LiesAmongTheReplicatesWhereAllAreBelowTheEstimate) {
  const auto distinct = [](absl::Span<const double> values) {
    return static_cast<double>(std::set<double>(values.begin(), values.end()).size());
  };
  std::vector<double> x;
  for (int i = 0; i < 20; ++i) x.push_back(i);
  const auto interval = BcaInterval(x, distinct, {.seed = 1});
  ASSERT_TRUE(interval.ok()) << interval.status();
  EXPECT_GT(interval->low, 14) << "the upper end of the replicates";
  EXPECT_LT(interval->high, 20);
  EXPECT_LE(interval->low, interval->high);
}

// Replicates 1 to 100 and no acceleration. No replicate below the estimate counts as a half of one, so
// the bias is the normal quantile b of 0.005, and the ends stand at the normal probabilities of 2 b - z
// and 2 b + z; and the other way round.
TEST(BcaInterval, TakesAnEstimateBeyondAllReplicatesForHalfAReplicateInside) {
  constexpr double kBias = -2.575829303548901, kZ = 0.674489750196082;  // of 0.005 and 0.75
  const double nearer = 99 * 0.5 * std::erfc(-(2 * kBias - kZ) / std::sqrt(2.0)),
               farther = 99 * 0.5 * std::erfc(-(2 * kBias + kZ) / std::sqrt(2.0));
  for (const double estimate : {0.0, 101.0}) {
    int calls = 0;
    const auto scripted = [&](absl::Span<const double> values) {
      if (values.size() < 3) return 0.0;  // one is left out
      return calls++ == 0 ? estimate : calls - 1;
    };
    const auto interval = BcaInterval({1, 2, 3}, scripted, {.confidence = 0.5, .resamples = 100});
    ASSERT_TRUE(interval.ok()) << interval.status();
    EXPECT_NEAR(interval->low, estimate == 0 ? 1 + nearer : 100 - farther, 1e-9);
    EXPECT_NEAR(interval->high, estimate == 0 ? 1 + farther : 100 - nearer, 1e-9);
  }
}

TEST(BcaInterval, WidensWithTheConfidence) {
  const std::vector<double> x = {3, 1, 4, 1, 5, 9, 2, 6};
  Interval before;
  for (double confidence : {0.5, 0.8, 0.95, 0.99}) {
    const auto interval = BcaInterval(x, Mean, {.confidence = confidence});
    if (confidence > 0.5) {
      EXPECT_LT(interval->low, before.low);
      EXPECT_GT(interval->high, before.high);
    }
    before = *interval;
  }
}

TEST(BcaInterval, RefusesTooFewValuesAndNonsense) {
  EXPECT_EQ(BcaInterval({1}, Mean).status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(BcaInterval({1, 2}, Mean, {.resamples = 99}).status().code(),
            absl::StatusCode::kInvalidArgument);
  for (double bad : {std::nan(""), std::numeric_limits<double>::infinity(), 1.0, 0.0}) {
    EXPECT_EQ(BcaInterval({1, 2}, Mean, {.confidence = bad}).status().code(),
              absl::StatusCode::kInvalidArgument);
    if (std::isfinite(bad)) continue;
    EXPECT_EQ(BcaInterval({1, bad}, Mean).status().code(), absl::StatusCode::kInvalidArgument);
  }
  const auto inverse_deviation = [](absl::Span<const double> v) {
    return 1 / StandardDeviation(v);
  };
  EXPECT_EQ(BcaInterval({1, 2}, inverse_deviation).status().code(),
            absl::StatusCode::kInvalidArgument);
}

// Above 1000 values groups are left out instead of single values, each value once.
TEST(BcaInterval, LeavesOutEachValueOfALargeSampleOnce) {
  for (size_t n : {999u, 1000u, 1001u, 3500u}) {
    std::mt19937_64 random(8);
    size_t calls = 0, left_out = 0;
    const auto statistic = [&](absl::Span<const double> v) {
      calls += v.size() < n;
      left_out += n - v.size();
      return Mean(v);
    };
    const std::vector<double> x = Draw(Shape::kSkewed, static_cast<int>(n), random);
    ASSERT_TRUE(BcaInterval(x, statistic, {.resamples = 100}).ok());
    EXPECT_EQ(calls, std::min<size_t>(n, 1000));
    EXPECT_EQ(left_out, n);
  }
}

// Two and a half standard errors at the widest.
TEST(BcaInterval, CoversAsOftenAsTheHeaderSays) {
  const struct {
    Shape shape;
    double at_5, at_10, at_20, at_50;
  } rows[] = {{Shape::kNormal, 0.84, 0.90, 0.93, 0.95},
              {Shape::kSkewed, 0.83, 0.90, 0.92, 0.94},
              {Shape::kBimodal, 0.935, 0.945, 0.95, 0.95}};
  for (const auto& row : rows) {
    const auto check = [&row](int n, double stated) {
      const double share = Coverage(row.shape, n, 2000, n, [](const std::vector<double>& x) {
        return *BcaInterval(x, Mean, {.resamples = 1000, .seed = 1});
      });
      std::printf("BCa of the mean, shape %d, n = %2d: coverage %.4f\n",
                  static_cast<int>(row.shape), n, share);
      EXPECT_NEAR(share, stated, 0.02) << n;
    };
    check(5, row.at_5);
    check(10, row.at_10);
    check(20, row.at_20);
    check(50, row.at_50);
  }
}

}  // namespace
}  // namespace assay::statistics
