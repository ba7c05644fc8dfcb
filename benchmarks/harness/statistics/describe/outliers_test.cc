#include "benchmarks/harness/statistics/describe/outliers.h"

#include <algorithm>
#include <random>
#include <vector>

#include "benchmarks/harness/statistics/testing/golden.h"
#include "gtest/gtest.h"

namespace assay::statistics {
namespace {

TEST(ClassifyOutliers, AgreesWithNumPysQuartiles) {
  for (const auto& c : Goldens("tukey")) {
    const TukeyClasses t = ClassifyOutliers(Numbers(c["x"]));
    const std::vector<double> fences = Numbers(c["fences"]);
    EXPECT_TRUE(Near(t.low_severe_fence, fences[0])) << c["name"];
    EXPECT_TRUE(Near(t.low_mild_fence, fences[1])) << c["name"];
    EXPECT_TRUE(Near(t.high_mild_fence, fences[2])) << c["name"];
    EXPECT_TRUE(Near(t.high_severe_fence, fences[3])) << c["name"];
    EXPECT_EQ(t.Total(), c["outside"].get<int64_t>()) << c["name"];
    EXPECT_EQ(t.high_severe, c["high_severe"].get<int64_t>()) << c["name"];
  }
}

// Quartiles 2 and 4, so fences -4, -1, 7, 10; a value on a fence is inside.
TEST(ClassifyOutliers, PutsEachValueInItsClass) {
  const TukeyClasses t =
      ClassifyOutliers({-5, -4, -1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 4, 4, 7, 7.5, 10, 11});
  EXPECT_EQ(t.high_mild_fence, 7);
  EXPECT_EQ(t.low_severe_fence, -4);
  EXPECT_EQ(t.low_severe, 1);
  EXPECT_EQ(t.low_mild, 1);
  EXPECT_EQ(t.high_mild, 2);
  EXPECT_EQ(t.high_severe, 1);
  EXPECT_EQ(t.Total(), 5);
}

TEST(ClassifyOutliers, CallsNoNeighbouringTickAnOutlier) {
  std::vector<double> ticks(100, 5000);
  ticks[98] = 5100;
  ticks[99] = 5900;
  const TukeyClasses t = ClassifyOutliers(ticks);
  EXPECT_EQ(t.Total(), 1);
  EXPECT_EQ(t.high_severe, 1);
}

TEST(ClassifyOutliers, OfEqualFewOrNoValuesFindsNone) {
  const TukeyClasses none = ClassifyOutliers({});
  EXPECT_EQ(none.Total(), 0);
  for (const double fence :
       {none.low_severe_fence, none.low_mild_fence, none.high_mild_fence, none.high_severe_fence}) {
    EXPECT_EQ(fence, 0);
  }
  EXPECT_EQ(ClassifyOutliers({1}).Total(), 0);
  EXPECT_EQ(ClassifyOutliers({1, 1000}).Total(), 0);
  EXPECT_EQ(ClassifyOutliers(std::vector<double>(50, 3.0)).Total(), 0);
}

TEST(ClassifyOutliers, MirrorsAndScales) {
  std::mt19937_64 random(2);
  std::student_t_distribution<double> draw(2);
  std::vector<double> x(500), mirrored;
  for (double& v : x) v = draw(random);
  std::sort(x.begin(), x.end());
  for (auto v = x.rbegin(); v != x.rend(); ++v) mirrored.push_back(-8 * *v);
  const TukeyClasses there = ClassifyOutliers(x), back = ClassifyOutliers(mirrored);
  EXPECT_GT(there.Total(), 20);
  EXPECT_EQ(there.low_severe, back.high_severe);
  EXPECT_EQ(there.high_mild, back.low_mild);
  EXPECT_NEAR(back.high_mild_fence, -8 * there.low_mild_fence, 1e-12);
}

// Tukey's own figures: 0.7 % of a large normal sample, 4.8 % of an exponential one.
TEST(ClassifyOutliers, FindsTheKnownSharesOfLargeSamples) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  std::exponential_distribution<double> exponential;
  std::vector<double> x(200000), y(200000);
  for (double& v : x) v = normal(random);
  for (double& v : y) v = exponential(random);
  std::sort(x.begin(), x.end());
  std::sort(y.begin(), y.end());
  EXPECT_NEAR(ClassifyOutliers(x).Total() / 2e5, 0.00698, 0.001);
  EXPECT_NEAR(ClassifyOutliers(y).Total() / 2e5, 0.0481, 0.002);
}

}  // namespace
}  // namespace assay::statistics
