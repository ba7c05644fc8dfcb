#include "benchmarks/harness/numerics/output_stats.h"

#include <cmath>
#include <limits>
#include <vector>

#include "gtest/gtest.h"

namespace assay::numerics {
namespace {

TEST(OutputStatsTest, AgreesWithValuesDoneByHand) {
  const std::vector<double> values = {-3, 4, 0, 7};  // mean 2; deviations -5, 2, -2, 5
  const OutputStats stats = StatsOf(values);
  EXPECT_DOUBLE_EQ(stats.mean, 2);
  EXPECT_DOUBLE_EQ(stats.std, std::sqrt(58.0 / 4));
  EXPECT_DOUBLE_EQ(stats.l2_norm, std::sqrt(74.0));
  EXPECT_EQ(stats.max_abs, 7);
}

TEST(OutputStatsTest, MaxAbsCountsNegativeValues) {
  const std::vector<double> values = {-9, 4};
  EXPECT_EQ(StatsOf(values).max_abs, 9);
}

TEST(OutputStatsTest, AConstantHasNoSpreadHoweverLarge) {
  const std::vector<double> values(200000, 1e8 + 0.1);
  const OutputStats stats = StatsOf(values);
  EXPECT_NEAR(stats.std, 0, 1e-4) << "sum of squares minus square of sums would give 1e0";
  EXPECT_NEAR(stats.mean, 1e8 + 0.1, 1e-6);
}

TEST(OutputStatsTest, ManyValuesKeepFourteenDigits) {
  std::vector<double> values;
  long double sum = 0, squares = 0;  // 64 bits: errors of 1e6 additions stay below 1e-13
  for (int i = 0; i < 1000000; ++i) {
    values.push_back(0.1 + std::sqrt(i));
    sum += values.back();
    squares += static_cast<long double>(values.back()) * values.back();
  }
  const OutputStats stats = StatsOf(values);
  EXPECT_NEAR(stats.mean / static_cast<double>(sum / 1000000), 1, 2e-14);
  EXPECT_NEAR(stats.l2_norm / static_cast<double>(std::sqrt(squares)), 1, 2e-14);
}

TEST(CompensatedSumTest, KeepsWhatPlainAdditionLoses) {
  CompensatedSum sum;
  for (const double value : {1.0, 1e100, 1.0, -1e100}) sum.Add(value);
  EXPECT_EQ(sum.Total(), 2);
}

TEST(OutputStatsTest, ShiftMovesOnlyTheMeanAndScaleScalesAll) {
  std::vector<double> values, shifted, scaled;
  for (int i = 0; i < 100000; ++i) {
    const double x = std::sin(i);
    values.push_back(x);
    shifted.push_back(x + 1000);
    scaled.push_back(-4 * x);
  }
  const OutputStats stats = StatsOf(values);
  EXPECT_NEAR(stats.std, std::sqrt(0.5), 1e-4);  // of a sine
  EXPECT_NEAR(StatsOf(shifted).std, stats.std, 1e-12);
  EXPECT_NEAR(StatsOf(shifted).mean, stats.mean + 1000, 1e-9);
  EXPECT_DOUBLE_EQ(StatsOf(scaled).std, 4 * stats.std);
  EXPECT_DOUBLE_EQ(StatsOf(scaled).l2_norm, 4 * stats.l2_norm);
  EXPECT_DOUBLE_EQ(StatsOf(scaled).max_abs, 4 * stats.max_abs);
}

TEST(OutputStatsTest, ChunksDoNotMatter) {
  std::vector<double> values;
  values.reserve(10007);
  for (int i = 0; i < 10007; ++i) values.push_back(1e3 + std::cos(i));
  OutputStatsBuilder builder;
  for (size_t begin = 0; begin < values.size(); begin += 13) {
    builder.Add(absl::MakeConstSpan(values).subspan(begin, 13));
  }
  builder.Add({});
  EXPECT_EQ(builder.count(), 10007);
  EXPECT_NEAR(builder.Stats().mean, StatsOf(values).mean, 1e-9);
  EXPECT_NEAR(builder.Stats().std, StatsOf(values).std, 1e-9);
  EXPECT_NEAR(builder.Stats().l2_norm, StatsOf(values).l2_norm, 1e-6);
}

TEST(OutputStatsTest, NonfiniteValuesShowWhereverTheyStand) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const std::vector<double>& values :
       {std::vector<double>{nan, 1, 2}, std::vector<double>{1, nan, 2}}) {
    EXPECT_TRUE(std::isnan(StatsOf(values).mean));
    EXPECT_TRUE(std::isnan(StatsOf(values).l2_norm));
    EXPECT_TRUE(std::isnan(StatsOf(values).max_abs));
  }
  const std::vector<double> infinite = {1, -std::numeric_limits<double>::infinity()};
  EXPECT_TRUE(std::isinf(StatsOf(infinite).max_abs));
}

TEST(OutputStatsTest, NothingHasZeroStats) {
  EXPECT_EQ(StatsOf({}).l2_norm, 0);
  EXPECT_EQ(StatsOf({}).std, 0);
}

}  // namespace
}  // namespace assay::numerics
