#include "benchmarks/harness/statistics/change_points.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "absl/types/span.h"
#include "benchmarks/harness/statistics/rank_tests.h"
#include "benchmarks/harness/statistics/testing/draws.h"
#include "gtest/gtest.h"

namespace assay::statistics {
namespace {

// Level 100 with noise of 1, plus `step` from `from` to before `to`.
std::vector<double> Stepped(int n, double step, int from, int to, uint64_t seed,
                            Shape shape = Shape::kNormal) {
  std::mt19937_64 random(seed);
  std::vector<double> x = Draw(shape, n, random);
  for (int i = 0; i < n; ++i) x[i] += 100 + (i >= from && i < to ? step : 0);
  return x;
}

TEST(FindChangePoints, FindsAStepWhereItIs) {
  for (int at : {15, 50, 85}) {
    const auto found = FindChangePoints(Stepped(100, 5, at, 100, at));
    ASSERT_EQ(found.size(), 1u) << at;
    EXPECT_EQ(found[0].index, at);
    EXPECT_NEAR(found[0].before, 100, 0.8);
    EXPECT_NEAR(found[0].after, 105, 0.8);
    EXPECT_LT(found[0].p_value, 1e-4);
  }
}

TEST(FindChangePoints, FindsARegressionThatWasUndone) {
  const auto found = FindChangePoints(Stepped(99, 5, 33, 66, 1));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].index, 33);
  EXPECT_EQ(found[1].index, 66);
  EXPECT_NEAR(found[0].after, 105, 0.8);
  EXPECT_EQ(found[0].after, found[1].before);
  EXPECT_NEAR(found[1].after, 100, 0.8);
}

// A cut by ranks alone leans towards the middle of its interval.
TEST(FindChangePoints, IsWithinOneValueOfTheStepMostOfTheTime) {
  int near = 0;
  for (int set = 0; set < 400; ++set) {
    const auto found = FindChangePoints(Stepped(100, 3, 20, 100, set));
    near += found.size() == 1 && std::abs(found[0].index - 20) <= 1;
  }
  EXPECT_GT(near, 360);
}

TEST(FindChangePoints, FindsManyStepsOfALongSeries) {
  std::mt19937_64 random(2);
  std::vector<double> x = Draw(Shape::kNormal, 100000, random);
  for (int i = 0; i < 100000; ++i) x[i] += i / 1000 % 2 == 0 ? 100 : 104;
  const auto found = FindChangePoints(x);
  ASSERT_EQ(found.size(), 99u);
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i].index, 1000.0 * (i + 1), 3) << i;
  }
}

TEST(FindChangePoints, ForgetsUnitAndSeesOnlyOrder) {
  std::vector<double> x = Stepped(80, 3, 40, 80, 3);
  const auto before = FindChangePoints(x);
  ASSERT_EQ(before.size(), 1u);
  x[5] = 1e12;
  for (double& v : x) v *= 1e-6;
  const auto after = FindChangePoints(x);
  ASSERT_EQ(after.size(), 1u);
  EXPECT_EQ(after[0].index, before[0].index);
}

TEST(FindChangePoints, OfTheSeriesReversedIsTheMirrorImage) {
  std::vector<double> x = Stepped(120, 4, 45, 120, 4);
  const auto there = FindChangePoints(x);
  std::reverse(x.begin(), x.end());
  const auto back = FindChangePoints(x);
  ASSERT_EQ(there.size(), 1u);
  ASSERT_EQ(back.size(), 1u);
  EXPECT_EQ(there[0].index + back[0].index, 120);
  EXPECT_EQ(there[0].before, back[0].after);
}

// One step of a two-valued series: the whole series is the best interval, and its p-value that of
// the U test, ties and all, once for each value.
TEST(FindChangePoints, ComparesTheTwoSidesLikeTheUTest) {
  std::vector<double> x(50, 1.0);
  x.resize(100, 2.0);
  const auto found = FindChangePoints(x);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].index, 50);
  const absl::Span<const double> all(x);
  const auto u = MannWhitneyU(all.first(50), all.last(50), Method::kNormal);
  EXPECT_NEAR(found[0].p_value / (100 * u->p_value), 1, 1e-9);
}

TEST(FindChangePoints, LeavesOutSmallChangesOnRequest) {
  const std::vector<double> x = Stepped(200, 3, 100, 200, 5);
  EXPECT_EQ(FindChangePoints(x, {.min_relative_change = 0.02}).size(), 1u);
  EXPECT_TRUE(FindChangePoints(x, {.min_relative_change = 0.05}).empty());
}

TEST(FindChangePoints, SkipsRunsWithoutAResultButCountsThem) {
  std::vector<double> x = Stepped(100, 5, 60, 100, 6);
  x.insert(x.begin() + 10, 7, std::nan(""));
  const auto found = FindChangePoints(x);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].index, 67);
}

TEST(FindChangePoints, FindsNothingInShortConstantOrEmptySeries) {
  EXPECT_TRUE(FindChangePoints({}).empty());
  EXPECT_TRUE(FindChangePoints({1}).empty());
  EXPECT_TRUE(FindChangePoints({1, 1, 1, 1, 9, 9, 9, 9}).empty());
  EXPECT_TRUE(FindChangePoints(std::vector<double>(500, 3.0)).empty());
  EXPECT_TRUE(FindChangePoints(std::vector<double>(500, std::nan(""))).empty());
  EXPECT_TRUE(FindChangePoints(Stepped(100, 0, 0, 0, 8), {.min_segment = 1000}).empty());
}

// Chosen and then tested: the correction must pay for the choice.
TEST(FindChangePoints, RaisesFewerFalseAlarmsThanItsLevel) {
  for (Shape shape : {Shape::kNormal, Shape::kBimodal}) {  // ranks don't see skew
    for (int n : {50, 100, 1000, 4000}) {
      for (double alpha : {0.05, 0.01}) {
        int alarms = 0;
        const int sets = n < 1000 ? 2000 : 200000 / n;
        for (int set = 0; set < sets; ++set) {
          alarms += !FindChangePoints(Stepped(n, 0, 0, 0, set, shape), {.alpha = alpha}).empty();
        }
        const double share = static_cast<double>(alarms) / sets;
        std::printf("no change, shape %d, n = %4d, alpha %.2f: alarms %.4f\n",
                    static_cast<int>(shape), n, alpha, share);
        // Two standard errors of the few long series.
        EXPECT_LE(share, alpha + (n < 1000 ? 0 : 2 * std::sqrt(alpha / sets)));
      }
    }
  }
}

// The header's caveat.
TEST(FindChangePoints, RaisesMoreForValuesThatDependOnTheirPredecessors) {
  int alarms = 0;
  for (int set = 0; set < 4000; ++set) {
    alarms += !FindChangePoints(Stepped(100, 0, 0, 0, set, Shape::kAutoregressive)).empty();
  }
  std::printf("no change, correlation 0.3, n = 100, alpha 1e-4: alarms %.4f\n", alarms / 4000.0);
  EXPECT_LT(alarms / 4000.0, 0.01);
}

TEST(FindChangePoints, FindsAStepOfThreeDeviationsNearlyAlways) {
  int found = 0;
  for (int set = 0; set < 500; ++set) {
    found += !FindChangePoints(Stepped(60, 3, 40, 60, set)).empty();
  }
  EXPECT_GT(found, 490);
}

}  // namespace
}  // namespace assay::statistics
