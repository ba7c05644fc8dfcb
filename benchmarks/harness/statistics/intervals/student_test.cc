#include "benchmarks/harness/statistics/intervals/student.h"

#include <cmath>
#include <limits>

#include "gtest/gtest.h"

namespace assay::statistics {
namespace {

// Student's table, as printed in every textbook.
TEST(CriticalT, IsThatOfTheTables) {
  EXPECT_NEAR(CriticalT(0.05, 1), 12.706, 5e-4);
  EXPECT_NEAR(CriticalT(0.05, 9), 2.262, 5e-4);
  EXPECT_NEAR(CriticalT(0.01, 30), 2.750, 5e-4);
  EXPECT_NEAR(CriticalT(0.05, HUGE_VAL), 1.959963984540054, 1e-12);
}

TEST(TwoSidedP, InvertsTheCriticalValueAndFallsOn) {
  for (double df : {1.0, 2.5, 9.0, 1e6, HUGE_VAL}) {
    for (double alpha : {0.9, 0.05, 1e-6, 1e-30}) {
      EXPECT_NEAR(TwoSidedP(CriticalT(alpha, df), df) / alpha, 1, 1e-8) << df << " " << alpha;
    }
    EXPECT_EQ(TwoSidedP(HUGE_VAL, df), 0);
    EXPECT_EQ(TwoSidedP(-HUGE_VAL, df), 0);
    EXPECT_NEAR(TwoSidedP(0, df), 1, 1e-15);
    EXPECT_NEAR(UpperTail(-2, df) + UpperTail(2, df), 1, 1e-14);
  }
}

TEST(TwoSidedPower, WithoutShiftIsTheLevel) {
  for (double df : {1.0, 2.0, 3.0, 9.0, 200.0, HUGE_VAL}) {
    for (double alpha : {0.05, 0.001, 0.05 / 300}) {
      EXPECT_NEAR(TwoSidedPower(CriticalT(alpha, df), df, 0), alpha, df == 1 ? 5e-6 : 1e-9);
    }
  }
}

TEST(TwoSidedPower, RisesWithTheShiftToOne) {
  for (double df : {1.0, 4.0, 1e5, HUGE_VAL}) {
    const double critical = CriticalT(0.001, df);
    double before = 0;
    for (int exponent = -3; exponent < 30; ++exponent) {
      const double power = TwoSidedPower(critical, df, std::ldexp(1.0, exponent));
      EXPECT_GE(power, before - 1e-12);
      before = power;
    }
    EXPECT_NEAR(before, 1, 1e-9);
  }
}

}  // namespace
}  // namespace assay::statistics
