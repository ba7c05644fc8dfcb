#include "benchmarks/harness/statistics/intervals/series_interval.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <random>
#include <vector>

#include "benchmarks/harness/statistics/intervals/median_interval.h"
#include "gtest/gtest.h"

namespace assay::statistics {
namespace {

std::vector<double> AutoRegressive(int n, double r, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::vector<double> series(n);
  double state = normal(random);
  for (double& value : series) {
    value = state;
    state = r * state + std::sqrt(1 - r * r) * normal(random);
  }
  return series;
}

// The share of series whose interval holds the true median, 0.
double Coverage(int n, double r) {
  constexpr int kSeries = 4'000;
  std::mt19937_64 random(11);
  int covered = 0, intervals = 0;
  for (int i = 0; i < kSeries; ++i) {
    const auto interval = SeriesMedianInterval(AutoRegressive(n, r, random));
    if (!interval.ok()) continue;
    ++intervals;
    covered += interval->low <= 0 && 0 <= interval->high;
  }
  EXPECT_GT(intervals, 0.9 * kSeries) << n << " " << r;
  const double share = static_cast<double>(covered) / intervals;
  std::cout << "n = " << n << ", r = " << r << ": " << share << "\n";
  return share;
}

TEST(SeriesMedianInterval, CoversWithDependentSamples) {
  for (int n : {20, 50, 200}) {
    const double coverage = Coverage(n, 0.3);
    EXPECT_GE(coverage, 0.93) << n;
    EXPECT_LE(coverage, 0.975) << n;
  }
}

TEST(SeriesMedianInterval, CoversWithIndependentSamplesAndIsNotMuchWider) {
  for (int n : {8, 20, 50, 200}) {
    const double coverage = Coverage(n, 0);
    EXPECT_GE(coverage, 0.94) << n;
    EXPECT_LE(coverage, n < 20 ? 1 : 0.975) << n;
  }
}

TEST(SeriesMedianInterval, IsThePlainOneWithoutDependence) {
  // Alternates about the median, so neighbours differ more than strangers do.
  std::vector<double> series;
  for (int i = 0; i < 60; ++i) series.push_back(i % 2 == 0 ? 100 + i : 100 - i);
  std::vector<double> sorted = series;
  std::sort(sorted.begin(), sorted.end());
  const auto plain = MedianInterval(sorted), interval = SeriesMedianInterval(series);
  ASSERT_TRUE(interval.ok());
  EXPECT_EQ(interval->low, plain->low);
  EXPECT_EQ(interval->high, plain->high);
}

TEST(SeriesMedianInterval, MovesAndScalesWithTheSamples) {
  std::mt19937_64 random(3);
  std::vector<double> series = AutoRegressive(40, 0.4, random);
  const auto before = SeriesMedianInterval(series);
  for (double& value : series) value = 1'000 + 8 * value;
  const auto after = SeriesMedianInterval(series);
  ASSERT_TRUE(before.ok() && after.ok());
  EXPECT_DOUBLE_EQ(after->low, 1'000 + 8 * before->low);
  EXPECT_DOUBLE_EQ(after->high, 1'000 + 8 * before->high);
}

TEST(SeriesMedianInterval, RefusesTooFewAndWhatIsNotFinite) {
  EXPECT_FALSE(SeriesMedianInterval(std::vector<double>(5, 1.0)).ok());
  EXPECT_TRUE(SeriesMedianInterval(std::vector<double>(6, 1.0)).ok());
  std::vector<double> ramp(40);
  for (int i = 0; i < 40; ++i) ramp[i] = i;
  EXPECT_EQ(SeriesMedianInterval(ramp).status().code(), absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace assay::statistics
