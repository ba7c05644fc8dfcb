#include "benchmarks/harness/statistics/intervals/multiplicity.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "benchmarks/harness/statistics/testing/golden.h"
#include "gtest/gtest.h"

namespace assay::statistics {
namespace {

TEST(BenjaminiHochberg, AgreesWithSciPy) {
  for (const auto& c : Goldens("benjamini_hochberg")) {
    const std::vector<double> got = BenjaminiHochberg(Numbers(c["p"])), want = Numbers(c["q"]);
    ASSERT_EQ(got.size(), want.size());
    for (size_t i = 0; i < got.size(); ++i) EXPECT_TRUE(Near(got[i], want[i], 1e-14)) << i;
  }
}

TEST(BenjaminiHochberg, FollowsTheOrderOfItsInput) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform;
  std::vector<double> p(40);
  for (double& v : p) v = uniform(random);
  const std::vector<double> q = BenjaminiHochberg(p);
  std::vector<double> reversed(p.rbegin(), p.rend());
  std::vector<double> back = BenjaminiHochberg(reversed);
  std::reverse(back.begin(), back.end());
  EXPECT_EQ(back, q);
  for (size_t i = 0; i < p.size(); ++i) {
    EXPECT_GE(q[i], p[i]);
    EXPECT_LE(q[i], 1);
    for (size_t j = 0; j < p.size(); ++j) {
      if (p[i] < p[j]) {
        EXPECT_LE(q[i], q[j]);
      }
    }
  }
}

TEST(BenjaminiHochberg, OfOneTestIsItsPValueAndOfNoneIsNone) {
  EXPECT_EQ(BenjaminiHochberg({0.03}), std::vector<double>{0.03});
  EXPECT_TRUE(BenjaminiHochberg({}).empty());
}

TEST(BenjaminiHochberg, NeverCallsATestWithoutAResult) {
  const std::vector<double> q = BenjaminiHochberg({0.01, std::nan(""), 0.02});
  EXPECT_NEAR(q[0], 0.03, 1e-15);
  EXPECT_EQ(q[1], 1);
  EXPECT_NEAR(q[2], 0.03, 1e-15);
}

// 30 of 300 hypotheses are false: of the calls at q <= 0.05 at most 5 % are wrong on average (in
// theory 0.05 * 270 / 300), and nearly all of the true ones are found.
TEST(BenjaminiHochberg, KeepsTheShareOfFalseCalls) {
  std::mt19937_64 random(2);
  std::normal_distribution<double> normal;
  double false_share = 0, found = 0;
  constexpr int kRuns = 2000;
  for (int run = 0; run < kRuns; ++run) {
    std::vector<double> p(300);
    for (int i = 0; i < 300; ++i) {
      p[i] = std::erfc(std::abs(normal(random) + (i < 30 ? 4.5 : 0)) / std::sqrt(2.0));
    }
    const std::vector<double> q = BenjaminiHochberg(p);
    int calls = 0, wrong = 0;
    for (int i = 0; i < 300; ++i) {
      calls += q[i] <= 0.05;
      wrong += q[i] <= 0.05 && i >= 30;
    }
    if (calls > 0) false_share += static_cast<double>(wrong) / calls / kRuns;
    found += (calls - wrong) / 30.0 / kRuns;
  }
  std::printf("Benjamini-Hochberg: false share %.4f, found %.4f\n", false_share, found);
  EXPECT_NEAR(false_share, 0.045, 0.005);
  EXPECT_GT(found, 0.95);
}

}  // namespace
}  // namespace assay::statistics
