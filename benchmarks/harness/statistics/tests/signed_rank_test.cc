#include "benchmarks/harness/statistics/tests/signed_rank.h"

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

TEST(SignedRank, AgreesWithSciPy) {
  for (const auto& c : Goldens("signed_rank")) {
    const std::vector<double> x = Numbers(c["x"]);
    const auto exact = SignedRank(x, Method::kExact), normal = SignedRank(x, Method::kNormal);
    ASSERT_TRUE(exact.ok() && normal.ok());
    EXPECT_EQ(exact->statistic, c["statistic"].get<double>()) << c;
    EXPECT_TRUE(Near(exact->p_value, c["exact_p"], 1e-10)) << c << exact->p_value;
    EXPECT_TRUE(Near(normal->p_value, c["normal_p"], 1e-10)) << c << normal->p_value;
  }
}

// The floor that keeps it from being a gate.
TEST(SignedRank, HasTheSmallestPValueThatCountingAllows) {
  EXPECT_NEAR(SignedRank({1, 2, 3, 4, 5, 6, 7, 8})->p_value, std::pow(2, -7), 1e-15);
}

TEST(SignedRank, SeesOnlyTheOrder) {
  const auto before = SignedRank({1, -2, 3, 5});
  EXPECT_EQ(SignedRank({1e-9, -1, 1e3, 1e100})->p_value, before->p_value);
  EXPECT_EQ(SignedRank({-1, 2, -3, -5})->p_value, before->p_value);
}

TEST(SignedRank, SwitchesToTheNormalApproximationWhereItIsGood) {
  std::mt19937_64 random(9);
  EXPECT_TRUE(SignedRank(Draw(Shape::kNormal, 50, random))->exact);
  for (int i = 0; i < 12; ++i) {
    std::vector<double> d = Draw(Shape::kNormal, 51, random);
    for (double& v : d) v += i * 0.05;
    EXPECT_FALSE(SignedRank(d)->exact);
    const double exact = SignedRank(d, Method::kExact)->p_value;
    if (exact > 0.005) {
      EXPECT_NEAR(SignedRank(d)->p_value, exact, 0.13 * exact);
    }
  }
}

TEST(SignedRank, OfOnlyZerosFindsNothing) {
  for (Method method : {Method::kExact, Method::kNormal}) {
    EXPECT_EQ(SignedRank({0, 0, 0}, method)->p_value, 1);
    EXPECT_EQ(SignedRank({0, 0, 0}, method)->statistic, 0);
  }
  EXPECT_EQ(SignedRank({0, 1, 2})->p_value, SignedRank({1, 2})->p_value);
}

TEST(SignedRank, RefusesNothingNonsenseAndTooMuch) {
  EXPECT_EQ(SignedRank({}).status().code(), absl::StatusCode::kFailedPrecondition);
  for (double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(SignedRank({bad}).status().code(), absl::StatusCode::kInvalidArgument);
  }
  const std::vector<double> many(121, 1.0);
  EXPECT_EQ(SignedRank(many, Method::kExact).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(SignedRank(many, Method::kAuto).ok());
}

// A discrete test keeps below its level; at n = 10 it nearly reaches it.
TEST(SignedRank, RaisesFalseAlarmsNoMoreOftenThanItsLevel) {
  for (Shape shape : {Shape::kNormal, Shape::kSkewed, Shape::kBimodal}) {
    std::mt19937_64 random(21);
    int alarms = 0;
    constexpr int kSets = 4000;
    for (int set = 0; set < kSets; ++set) {
      const std::vector<double> x = Draw(shape, 10, random), y = Draw(shape, 10, random);
      std::vector<double> d(10);
      for (int i = 0; i < 10; ++i) d[i] = y[i] - x[i];
      alarms += SignedRank(d)->p_value <= 0.05;
    }
    std::printf("A/A at 0.05, shape %d: %.4f\n", static_cast<int>(shape), alarms / double{kSets});
    EXPECT_NEAR(alarms / double{kSets}, 0.0488, 0.0137);
  }
}

}  // namespace
}  // namespace assay::statistics
