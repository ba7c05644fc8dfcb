#include "benchmarks/harness/statistics/describe/location.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "benchmarks/harness/statistics/testing/golden.h"
#include "gtest/gtest.h"

namespace assay::statistics {
namespace {

double MiddleOf(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  const size_t n = v.size();
  return n % 2 == 1 ? v[n / 2] : v[n / 2 - 1] / 2 + v[n / 2] / 2;
}

double OverAllPairs(const std::vector<double>& x) {
  std::vector<double> averages;
  for (size_t i = 0; i < x.size(); ++i) {
    for (size_t j = 0; j <= i; ++j) averages.push_back(x[i] / 2 + x[j] / 2);
  }
  return MiddleOf(averages);
}

TEST(HodgesLehmann, AgreesWithNumPy) {
  for (const auto& c : Goldens("hodges_lehmann")) {
    EXPECT_TRUE(Near(HodgesLehmann(Numbers(c["x"])), c["one"], 1e-15)) << c["name"];
  }
}

// Every size, with and without ties, to the last bit: selecting must not differ from sorting.
TEST(HodgesLehmann, IsTheVeryNumberThatSortingAllPairsGives) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal(0.5, 1);
  for (int n = 1; n <= 60; ++n) {
    for (bool rounded : {false, true}) {
      std::vector<double> x(n);
      for (double& v : x) v = rounded ? std::round(2 * normal(random)) : normal(random);
      EXPECT_EQ(HodgesLehmann(x), OverAllPairs(x)) << n << " " << rounded;
    }
  }
}

TEST(HodgesLehmann, TakesExtremesWithoutOverflow) {
  constexpr double kMax = std::numeric_limits<double>::max();
  constexpr double kMin = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(HodgesLehmann({kMax, kMax, kMax}), kMax);
  EXPECT_EQ(HodgesLehmann({-kMax, kMax}), 0);
  EXPECT_EQ(HodgesLehmann({-0.0, 0.0, 0.0}), 0);
  EXPECT_NEAR(HodgesLehmann({kMin, kMin, 4 * kMin}), kMin, 2 * kMin);
  EXPECT_EQ(HodgesLehmann({7}), 7);
}

TEST(HodgesLehmann, MovesWithShiftAndScaleAndForgetsTheOrder) {
  std::mt19937_64 random(6);
  std::lognormal_distribution<double> draw(0, 1);
  std::vector<double> x(101), moved(101);
  for (double& v : x) v = draw(random);
  const double before = HodgesLehmann(x);
  for (int i = 0; i < 101; ++i) moved[i] = 7 - 3 * x[i];
  EXPECT_NEAR(HodgesLehmann(moved), 7 - 3 * before, 1e-12);
  std::shuffle(x.begin(), x.end(), random);
  EXPECT_EQ(HodgesLehmann(x), before);
}

TEST(HodgesLehmann, IsHardlyMovedByAFourthOfBadValues) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  std::vector<double> x(100);
  for (int i = 0; i < 100; ++i) x[i] = i < 25 ? 1e9 : normal(random);
  EXPECT_LT(std::abs(HodgesLehmann(x)), 2);
}

TEST(HodgesLehmann, OfNothingOrNotANumberIsNotANumber) {
  for (double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_TRUE(std::isnan(HodgesLehmann({1, bad})));
  }
  EXPECT_TRUE(std::isnan(HodgesLehmann({})));
}

// Half a million pairs of pairs: a quadratic way would take minutes.
TEST(HodgesLehmann, OfAMillionValuesTakesNoQuadraticTime) {
  std::vector<double> x(1000000);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>((i * 7919) % x.size());
  EXPECT_EQ(HodgesLehmann(x), (static_cast<double>(x.size()) - 1) / 2);
}

}  // namespace
}  // namespace assay::statistics
