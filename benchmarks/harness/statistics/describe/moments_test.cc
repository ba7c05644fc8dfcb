#include "benchmarks/harness/statistics/describe/moments.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"

namespace assay::statistics {
namespace {

TEST(Mean, KeepsSmallTermsBesideALargeOne) {
  // Plain summation gives 0: each 1 vanishes beside 1e17.
  EXPECT_EQ(Mean({1e17, 1, 1, 1, 1, -1e17}), 4.0 / 6);
}

TEST(Mean, OfAMillionEqualValuesIsThatValue) {
  EXPECT_EQ(Mean(std::vector<double>(1'000'000, 0.1)), 0.1);
}

// numpy.std([3, 1, 4, 1, 5], ddof=1) is 1.7888543819998317, the square root of 3.2.
TEST(StandardDeviation, AgreesWithNumPy) {
  EXPECT_NEAR(StandardDeviation({3, 1, 4, 1, 5}), 1.7888543819998317, 1e-15);
  EXPECT_EQ(StandardDeviation({7}), 0);
}

// numpy.polyfit(range(5), [3, 1, 4, 1, 5], 1)[0] is 0.4; the mean is 2.8.
TEST(RelativeSlope, AgreesWithNumPysPolyfit) {
  EXPECT_NEAR(RelativeSlope({3, 1, 4, 1, 5}), 0.4 / 2.8, 1e-15);
}

TEST(RelativeSlope, OfALineIsItsGrowthOverItsMean) {
  EXPECT_NEAR(RelativeSlope({100, 101, 102, 103, 104}), 1.0 / 102, 1e-15);
  EXPECT_NEAR(RelativeSlope({104, 103, 102, 101, 100}), -1.0 / 102, 1e-15);
}

TEST(RelativeSlope, DoesNotDependOnTheUnit) {
  EXPECT_NEAR(RelativeSlope({3, 1, 4}), RelativeSlope({3e9, 1e9, 4e9}), 1e-15);
}

TEST(RelativeSlope, OfZerosIsZero) { EXPECT_EQ(RelativeSlope({0, 0, 0}), 0); }

}  // namespace
}  // namespace assay::statistics
