#include "benchmarks/harness/statistics/tests/power.h"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "benchmarks/harness/statistics/intervals/student.h"
#include "benchmarks/harness/statistics/testing/draws.h"
#include "benchmarks/harness/statistics/testing/golden.h"
#include "gtest/gtest.h"

namespace assay::statistics {
namespace {

TEST(MinimumDetectableEffect, AgreesWithSciPysNoncentralT) {
  for (const auto& c : Goldens("power")) {
    const double df = c["df"], alpha = c["alpha"], power = c["power"], shift = c["shift"];
    EXPECT_NEAR(TwoSidedPower(CriticalT(alpha, df), df, shift), power, 1e-7) << c;
    // df = pairs - 1 + prior df
    const double effect = MinimumDetectableEffect(
        4, 1, VariancePrior{.degrees_of_freedom = df - 3, .variance = 1}, alpha, power);
    EXPECT_TRUE(Near(effect, shift / 2, 1e-6)) << c << effect;
  }
}

// The table of minimum detectable effects that the comparison was planned with, made by quadrature
// in Python; in standard deviations, power 0.95.
TEST(MinimumDetectableEffect, AgreesWithQuadrature) {
  const struct {
    int64_t pairs;
    double at_05, at_001, at_05_of_300, moderated_05, moderated_001, moderated_05_of_300;
  } rows[] = {{5, 2.20, 6.04, 9.47, 1.68, 2.50, 2.85},
              {8, 1.50, 2.88, 3.78, 1.32, 1.94, 2.21},
              {10, 1.29, 2.26, 2.82, 1.18, 1.73, 1.95},
              {15, 1.00, 1.59, 1.88, .96, 1.39, 1.56},
              {20, .85, 1.29, 1.49, .83, 1.19, 1.33}};
  const VariancePrior prior{.degrees_of_freedom = 20, .variance = 1};
  for (const auto& row : rows) {
    EXPECT_NEAR(MinimumDetectableEffect(row.pairs, 1, 0.05), row.at_05, 0.0051);
    EXPECT_NEAR(MinimumDetectableEffect(row.pairs, 1, 0.001), row.at_001, 0.0051);
    EXPECT_NEAR(MinimumDetectableEffect(row.pairs, 1, 0.05 / 300), row.at_05_of_300, 0.0051);
    EXPECT_NEAR(MinimumDetectableEffect(row.pairs, 1, prior, 0.05), row.moderated_05, 0.0051);
    EXPECT_NEAR(MinimumDetectableEffect(row.pairs, 1, prior, 0.001), row.moderated_001, 0.0051);
    EXPECT_NEAR(MinimumDetectableEffect(row.pairs, 1, prior, 0.05 / 300), row.moderated_05_of_300,
                0.0051);
  }
}

TEST(MinimumDetectableEffect, IsFoundAsOftenAsItPromises) {
  const double effect = MinimumDetectableEffect(10, 1, 0.05);
  std::mt19937_64 random(4);
  int found = 0;
  constexpr int kSets = 20000;
  for (int set = 0; set < kSets; ++set) {
    std::vector<double> x = Draw(Shape::kNormal, 10, random);
    for (double& v : x) v += effect;
    found += PairedT(x)->p_value <= 0.05;
  }
  EXPECT_NEAR(found / double{kSets}, 0.95, 0.0062);
}

TEST(MinimumDetectableEffect, ScalesWithTheDeviationAndFallsWithPairsAndLevel) {
  EXPECT_NEAR(MinimumDetectableEffect(10, 0.003, 0.05),
              0.003 * MinimumDetectableEffect(10, 1, 0.05), 1e-12);
  EXPECT_EQ(MinimumDetectableEffect(10, 0, 0.05), 0);
  double before = HUGE_VAL;
  for (int64_t pairs = 2; pairs < 200; pairs = pairs * 3 / 2 + 1) {
    const double effect = MinimumDetectableEffect(pairs, 1, 0.01);
    EXPECT_LT(effect, before);
    EXPECT_GT(MinimumDetectableEffect(pairs, 1, 0.001), effect);
    EXPECT_LT(MinimumDetectableEffect(pairs, 1, 0.01, 0.8), effect);
    before = effect;
  }
}

TEST(MinimumDetectableEffect, IsInfiniteForNonsenseAndTooFewPairs) {
  EXPECT_EQ(MinimumDetectableEffect(1, 1, 0.05), HUGE_VAL);
  EXPECT_EQ(MinimumDetectableEffect(10, -1, 0.05), HUGE_VAL);
  for (double bad : {0.0, 1.0, std::nan("")}) {
    EXPECT_EQ(MinimumDetectableEffect(10, 1, bad), HUGE_VAL);
    EXPECT_EQ(MinimumDetectableEffect(10, 1, 0.05, bad), HUGE_VAL);
  }
  EXPECT_EQ(MinimumDetectableEffect(10, std::nan(""), 0.05), HUGE_VAL);
  EXPECT_EQ(MinimumDetectableEffect(10, 1, 0.05, 0.05), HUGE_VAL);
}

}  // namespace
}  // namespace assay::statistics
