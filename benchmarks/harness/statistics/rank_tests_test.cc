#include "benchmarks/harness/statistics/rank_tests.h"

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

TEST(MannWhitneyU, AgreesWithSciPy) {
  for (const auto& c : Goldens("mann_whitney")) {
    const std::vector<double> x = Numbers(c["x"]), y = Numbers(c["y"]);
    const auto exact = MannWhitneyU(x, y, Method::kExact);
    const auto normal = MannWhitneyU(x, y, Method::kNormal);
    ASSERT_TRUE(exact.ok() && normal.ok());
    EXPECT_EQ(exact->statistic, c["statistic"].get<double>());
    EXPECT_EQ(normal->statistic, c["statistic"].get<double>());
    EXPECT_TRUE(Near(exact->p_value, c["exact_p"], 1e-10)) << c << exact->p_value;
    EXPECT_TRUE(Near(normal->p_value, c["normal_p"], 1e-10)) << c << normal->p_value;
    EXPECT_TRUE(exact->exact);
    EXPECT_FALSE(normal->exact);
  }
}

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

// The floors that keep them from being a gate.
TEST(RankTests, HaveTheSmallestPValuesThatCountingAllows) {
  EXPECT_NEAR(SignedRank({1, 2, 3, 4, 5, 6, 7, 8})->p_value, std::pow(2, -7), 1e-15);
  EXPECT_NEAR(MannWhitneyU({1, 2, 3, 4}, {5, 6, 7, 8})->p_value, 2.0 / 70, 1e-15);
  EXPECT_NEAR(MannWhitneyU({1, 2, 3, 4, 5, 6, 7, 8}, {9, 10, 11, 12, 13, 14, 15, 16})->p_value,
              2.0 / 12870, 1e-15);
}

// The definition: over all ways to hand out these very values, ties and all.
TEST(MannWhitneyU, IsExactWithTiesByCountingAllArrangements) {
  const std::vector<double> x = {1, 2, 2, 3}, y = {2, 3, 3, 4, 4, 5};
  std::vector<double> all = x;
  all.insert(all.end(), y.begin(), y.end());
  const auto u = [](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (double p : a) {
      for (double q : b) sum += p > q ? 1 : p == q ? 0.5 : 0;
    }
    return sum;
  };
  int as_far = 0, count = 0;
  for (int chosen = 0; chosen < 1 << 10; ++chosen) {
    std::vector<double> a, b;
    for (int i = 0; i < 10; ++i) (chosen >> i & 1 ? a : b).push_back(all[i]);
    if (a.size() != 4) continue;
    ++count;
    as_far += std::abs(u(a, b) - 12) >= std::abs(u(x, y) - 12);
  }
  const auto test = MannWhitneyU(x, y);
  EXPECT_EQ(test->statistic, u(x, y));
  EXPECT_NEAR(test->p_value, static_cast<double>(as_far) / count, 1e-12);
}

TEST(MannWhitneyU, OfSidesSwappedHasTheSamePValue) {
  const std::vector<double> x = {1, 5, 2.5, 2.5}, y = {2.5, 7, 8, 1, 4};
  for (Method method : {Method::kExact, Method::kNormal}) {
    const auto there = MannWhitneyU(x, y, method), back = MannWhitneyU(y, x, method);
    EXPECT_NEAR(there->p_value, back->p_value, 1e-14);
    EXPECT_EQ(there->statistic + back->statistic, 20);
  }
}

TEST(RankTests, SeeOnlyTheOrder) {
  std::mt19937_64 random(3);
  std::vector<double> x = Draw(Shape::kNormal, 20, random), y = Draw(Shape::kNormal, 15, random);
  const auto before = MannWhitneyU(x, y);
  std::shuffle(x.begin(), x.end(), random);
  for (double& v : x) v = std::exp(3 * v);
  for (double& v : y) v = std::exp(3 * v);
  EXPECT_EQ(MannWhitneyU(x, y)->p_value, before->p_value);
  const auto signed_before = SignedRank({1, -2, 3, 5});
  EXPECT_EQ(SignedRank({1e-9, -1, 1e3, 1e100})->p_value, signed_before->p_value);
  EXPECT_EQ(SignedRank({-1, 2, -3, -5})->p_value, signed_before->p_value);
}

TEST(RankTests, SwitchToTheNormalApproximationWhereItIsGood) {
  std::mt19937_64 random(9);
  const std::vector<double> x = Draw(Shape::kNormal, 25, random);
  EXPECT_TRUE(MannWhitneyU(x, x)->exact);
  for (int i = 0; i < 12; ++i) {
    const double shift = i * 0.1;
    std::vector<double> y = Draw(Shape::kNormal, 26, random);
    for (double& v : y) v += shift;
    EXPECT_FALSE(MannWhitneyU(x, y)->exact);
    const double exact = MannWhitneyU(x, y, Method::kExact)->p_value;
    if (exact > 0.005) {
      EXPECT_NEAR(MannWhitneyU(x, y)->p_value, exact, 0.13 * exact);
    }
    std::vector<double> d = Draw(Shape::kNormal, 51, random);
    for (double& v : d) v += shift / 2;
    const double exact_signed = SignedRank(d, Method::kExact)->p_value;
    if (exact_signed > 0.005) {
      EXPECT_NEAR(SignedRank(d)->p_value, exact_signed, 0.13 * exact_signed);
    }
  }
}

TEST(RankTests, OfEqualValuesOrOnlyZerosFindNothing) {
  for (Method method : {Method::kExact, Method::kNormal}) {
    EXPECT_EQ(MannWhitneyU({3, 3, 3}, {3, 3}, method)->p_value, 1);
    EXPECT_EQ(SignedRank({0, 0, 0}, method)->p_value, 1);
    EXPECT_EQ(SignedRank({0, 0, 0}, method)->statistic, 0);
  }
  EXPECT_EQ(SignedRank({0, 1, 2})->p_value, SignedRank({1, 2})->p_value);
}

TEST(RankTests, RefuseNothingNonsenseAndTooMuch) {
  EXPECT_EQ(MannWhitneyU({}, {1}).status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(SignedRank({}).status().code(), absl::StatusCode::kFailedPrecondition);
  for (double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(MannWhitneyU({1}, {bad}).status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(SignedRank({bad}).status().code(), absl::StatusCode::kInvalidArgument);
  }
  const std::vector<double> many(121, 1.0);
  EXPECT_EQ(SignedRank(many, Method::kExact).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(SignedRank(many, Method::kAuto).ok());
}

// Discrete tests keep below their level; at n = 10 they nearly reach it.
TEST(RankTests, RaiseFalseAlarmsNoMoreOftenThanTheirLevel) {
  for (Shape shape : {Shape::kNormal, Shape::kSkewed, Shape::kBimodal}) {
    std::mt19937_64 random(21);
    int u_alarms = 0, signed_alarms = 0;
    constexpr int kSets = 4000;
    for (int set = 0; set < kSets; ++set) {
      const std::vector<double> x = Draw(shape, 10, random), y = Draw(shape, 10, random);
      u_alarms += MannWhitneyU(x, y)->p_value <= 0.05;
      std::vector<double> d(10);
      for (int i = 0; i < 10; ++i) d[i] = y[i] - x[i];
      signed_alarms += SignedRank(d)->p_value <= 0.05;
    }
    std::printf("A/A at 0.05, shape %d: U %.4f, signed rank %.4f\n", static_cast<int>(shape),
                u_alarms / double{kSets}, signed_alarms / double{kSets});
    EXPECT_NEAR(u_alarms / double{kSets}, 0.0433, 0.0129);
    EXPECT_NEAR(signed_alarms / double{kSets}, 0.0488, 0.0137);
  }
}

}  // namespace
}  // namespace assay::statistics
