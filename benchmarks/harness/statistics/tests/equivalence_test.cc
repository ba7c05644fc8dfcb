#include "benchmarks/harness/statistics/tests/equivalence.h"

#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <vector>

#include "benchmarks/harness/statistics/testing/draws.h"
#include "benchmarks/harness/statistics/testing/golden.h"
#include "benchmarks/harness/statistics/tests/t_tests.h"
#include "gtest/gtest.h"

namespace assay::statistics {
namespace {

TEST(TwoOneSidedTests, AgreeWithSciPy) {
  for (const auto& c : Goldens("equivalence")) {
    const Equivalence e =
        TwoOneSidedTests(c["estimate"], c["standard_error"], c["df"], c["margin"]);
    EXPECT_TRUE(Near(e.p_value, c["p"], 1e-8)) << c << e.p_value;
    const double unit = 1e-9 * std::abs(c["low"].get<double>());
    EXPECT_TRUE(Near(e.interval.low, c["low"], 1e-9, unit)) << c;
    EXPECT_TRUE(Near(e.interval.high, c["high"], 1e-9, unit)) << c;
    EXPECT_EQ(e.equivalent, c["p"].get<double>() < 0.05) << c;
  }
}

TEST(TwoOneSidedTests, SayEquivalentExactlyWhenTheIntervalLiesInside) {
  for (int step = 0; step <= 57; ++step) {
    const double estimate = -0.02 + step * 0.0007;
    for (double error : {1e-4, 1e-3, 3e-3, 1e-2}) {
      for (double df : {1.0, 4.5, 30.0, HUGE_VAL}) {
        const Equivalence e = TwoOneSidedTests(estimate, error, df, 0.01, 0.1);
        EXPECT_EQ(e.equivalent, e.interval.low > -0.01 && e.interval.high < 0.01);
        const Equivalence mirrored = TwoOneSidedTests(-estimate, error, df, 0.01, 0.1);
        EXPECT_EQ(mirrored.p_value, e.p_value);
        EXPECT_EQ(mirrored.interval.low, -e.interval.high);
        const Equivalence wider = TwoOneSidedTests(estimate, error, df, 0.02, 0.1);
        EXPECT_LE(wider.p_value, e.p_value);
      }
    }
  }
}

TEST(TwoOneSidedTests, WithoutErrorDecideByTheEstimate) {
  EXPECT_TRUE(TwoOneSidedTests(0.004, 0, 9, 0.005).equivalent);
  EXPECT_EQ(TwoOneSidedTests(0.004, 0, 9, 0.005).p_value, 0);
  EXPECT_FALSE(TwoOneSidedTests(0.005, 0, 9, 0.005).equivalent);
  EXPECT_EQ(TwoOneSidedTests(-0.006, 0, 9, 0.005).p_value, 1);
}

TEST(TwoOneSidedTests, ShowNothingForNonsense) {
  const double nan = std::nan("");
  for (const Equivalence& e :
       {TwoOneSidedTests(nan, 1, 9, 1), TwoOneSidedTests(0, nan, 9, 1),
        TwoOneSidedTests(0, 1, nan, 1), TwoOneSidedTests(0, 1, 9, nan),
        TwoOneSidedTests(0, 1e-9, 9, 1, nan), TwoOneSidedTests(0, -1e-9, 9, 1),
        TwoOneSidedTests(0, 1e-9, 0, 1), TwoOneSidedTests(0, 1e-9, 9, 0),
        TwoOneSidedTests(0, 1e-9, 9, 1, 0.5), TwoOneSidedTests(HUGE_VAL, 1, 9, 1)}) {
    EXPECT_FALSE(e.equivalent);
    EXPECT_EQ(e.p_value, 1);
    EXPECT_EQ(e.interval.low, -HUGE_VAL);
    EXPECT_EQ(e.interval.high, HUGE_VAL);
  }
}

// At the edge of the margin a wrong verdict comes exactly as often as alpha says.
TEST(TwoOneSidedTests, AreWrongAtMostAsOftenAsTheirLevel) {
  std::mt19937_64 random(17);
  int wrong = 0;
  constexpr int kSets = 20000;
  for (int set = 0; set < kSets; ++set) {
    std::vector<double> x = Draw(Shape::kNormal, 10, random);
    for (double& v : x) v = 5 + v;
    const TTest t = *PairedT(x);
    wrong += TwoOneSidedTests(t.estimate, t.standard_error, t.degrees_of_freedom, 5).equivalent;
  }
  std::printf("TOST at the margin, n = 10: wrong in %.4f\n", wrong / double{kSets});
  EXPECT_NEAR(wrong / double{kSets}, 0.05, 0.0062);
}

}  // namespace
}  // namespace assay::statistics
