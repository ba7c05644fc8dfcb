#include "benchmarks/harness/statistics/describe/steadiness.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <vector>

#include "benchmarks/harness/statistics/testing/draws.h"
#include "benchmarks/harness/statistics/testing/golden.h"
#include "gtest/gtest.h"

namespace assay::statistics {
namespace {

std::vector<double> Ramp(int n, double from, double to) {
  std::vector<double> x(n);
  for (int i = 0; i < n; ++i) x[i] = from + (to - from) * i / (n - 1);
  return x;
}

TEST(AssessSteadiness, AgreesWithSciPy) {
  for (const auto& c : Goldens("mann_kendall")) {
    const auto got = AssessSteadiness(Numbers(c["x"]));
    ASSERT_TRUE(got.ok());
    EXPECT_TRUE(Near(got->trend_p_value, c["p"], 1e-9)) << c << got->trend_p_value;
    EXPECT_NEAR(got->lag1_autocorrelation, c["lag1"], 1e-12);
  }
}

// Counting by merging must be counting of all pairs.
TEST(AssessSteadiness, CountsWhatComparingAllPairsCounts) {
  std::mt19937_64 random(4);
  for (int n = 8; n < 80; ++n) {
    std::vector<double> x(n);
    for (double& v : x) v = static_cast<double>(random() % 9);
    double s = 0, ties = 0;
    for (int i = 0; i < n; ++i) {
      for (int j = i + 1; j < n; ++j) s += (x[j] > x[i]) - (x[j] < x[i]);
    }
    for (int value = 0; value < 9; ++value) {
      const double t = static_cast<double>(std::count(x.begin(), x.end(), value));
      ties += t * (t - 1) * (2 * t + 5);
    }
    const double variance = (n * (n - 1.0) * (2 * n + 5) - ties) / 18;
    const double z = std::max(0.0, std::abs(s) - 1) / std::sqrt(variance);
    EXPECT_NEAR(AssessSteadiness(x)->trend_p_value, std::erfc(z / std::sqrt(2.0)), 1e-12) << n;
  }
}

TEST(AssessSteadiness, MeasuresARampExactly) {
  for (int n : {8, 9, 10, 11, 100, 1001}) {
    const auto up = AssessSteadiness(Ramp(n, 95, 105)), down = AssessSteadiness(Ramp(n, 105, 95));
    EXPECT_NEAR(up->slope_share, 0.1, 1e-12) << n;
    EXPECT_NEAR(down->slope_share, -0.1, 1e-12) << n;
    EXPECT_LT(up->trend_p_value, 0.002);
    EXPECT_EQ(up->trend_p_value, down->trend_p_value);
  }
}

TEST(AssessSteadiness, KeepsTheSlopeUnderSpikes) {
  std::vector<double> x = Ramp(60, 99, 101);
  for (int i = 0; i < 60; i += 7) x[i] = 1e6;
  EXPECT_LT(std::abs(AssessSteadiness(x)->slope_share), 0.03);
}

TEST(AssessSteadiness, DoesNotChangeWithUnitAndTurnsWithTime) {
  std::mt19937_64 random(5);
  std::vector<double> x = Draw(Shape::kSkewed, 50, random), seconds;
  for (double& v : x) v += 20;
  for (double v : x) seconds.push_back(v * 1e-9);
  const auto one = AssessSteadiness(x), other = AssessSteadiness(seconds);
  EXPECT_EQ(one->trend_p_value, other->trend_p_value);
  EXPECT_NEAR(one->slope_share, other->slope_share, 1e-12);
  EXPECT_NEAR(one->lag1_autocorrelation, other->lag1_autocorrelation, 1e-12);
  std::reverse(x.begin(), x.end());
  const auto back = AssessSteadiness(x);
  EXPECT_EQ(back->trend_p_value, one->trend_p_value);
  EXPECT_NEAR(back->slope_share, -one->slope_share, 1e-12);
  EXPECT_NEAR(back->lag1_autocorrelation, one->lag1_autocorrelation, 1e-12);
}

TEST(AssessSteadiness, OfEqualValuesIsSteady) {
  const auto got = AssessSteadiness(std::vector<double>(20, 7.0));
  ASSERT_TRUE(got.ok());
  EXPECT_EQ(got->trend_p_value, 1);
  EXPECT_EQ(got->slope_share, 0);
  EXPECT_EQ(got->lag1_autocorrelation, 0);
  EXPECT_EQ(got->effective_samples, 20);
}

TEST(AssessSteadiness, StaysDefinedAtAMedianOfZero) {
  EXPECT_EQ(AssessSteadiness({-4, -3, -2, -1, 0, 1, 2, 3, 4})->slope_share, 0);
}

TEST(AssessSteadiness, RefusesTooFewAndNonFiniteValues) {
  const auto few = AssessSteadiness({1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQ(few.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_NE(few.status().message().find("needs 8 values, there are 7"), std::string::npos);
  for (double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(AssessSteadiness({1, 2, 3, 4, 5, 6, 7, bad}).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
}

// An autoregressive series of correlation r is worth n (1 - r) / (1 + r).
TEST(AssessSteadiness, FindsWhatDependentSamplesAreWorth) {
  std::mt19937_64 random(6);
  const auto got = AssessSteadiness(Draw(Shape::kAutoregressive, 100000, random));
  EXPECT_NEAR(got->lag1_autocorrelation, 0.3, 0.013);
  EXPECT_NEAR(got->effective_samples, 1e5 * 0.7 / 1.3, 1500);
  std::vector<double> alternating(100);
  for (int i = 0; i < 100; ++i) alternating[i] = i % 2;
  EXPECT_LT(AssessSteadiness(alternating)->lag1_autocorrelation, -0.9);
  EXPECT_EQ(AssessSteadiness(alternating)->effective_samples, 100);
}

double Alarms(Shape shape, int n) {
  std::mt19937_64 random(n);
  int alarms = 0;
  constexpr int kSets = 8000;
  for (int set = 0; set < kSets; ++set) {
    alarms += AssessSteadiness(Draw(shape, n, random))->trend_p_value < 0.05;
  }
  std::printf("Mann-Kendall at 0.05, shape %d, n = %d: alarms %.4f\n", static_cast<int>(shape), n,
              alarms / double{kSets});
  return alarms / double{kSets};
}

TEST(AssessSteadiness, RaisesTheStatedShareOfFalseAlarms) {
  EXPECT_NEAR(Alarms(Shape::kNormal, 8), 0.05, 0.02);  // discrete
  EXPECT_NEAR(Alarms(Shape::kNormal, 30), 0.05, 0.01);
  EXPECT_NEAR(Alarms(Shape::kSkewed, 100), 0.05, 0.01);
  // The header's caveat.
  EXPECT_NEAR(Alarms(Shape::kAutoregressive, 50), 0.15, 0.03);
}

TEST(AssessSteadiness, FindsARampOfOneDeviationOverAHundredSamples) {
  std::mt19937_64 random(7);
  int found = 0;
  for (int set = 0; set < 500; ++set) {
    std::vector<double> x = Draw(Shape::kNormal, 100, random);
    for (int i = 0; i < 100; ++i) x[i] = 100 + x[i] + 2 * i / 99.0;
    found += AssessSteadiness(x)->trend_p_value < 0.001;
  }
  EXPECT_GT(found, 475);
}

}  // namespace
}  // namespace assay::statistics
