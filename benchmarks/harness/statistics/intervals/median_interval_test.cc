#include "benchmarks/harness/statistics/intervals/median_interval.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace assay::statistics {
namespace {

// Ranks and coverage by exact integers: math.comb and fractions.Fraction of Python 3.12. 1074 and
// 1075 stand on either side of the underflow of 2^-n.
TEST(MedianIntervalRanks, AgreeWithExactIntegerArithmetic) {
  const struct {
    int64_t samples, low, high;
    double coverage;
  } cases[] = {
      {6, 1, 6, 0.96875},
      {9, 2, 8, 0.9609375},
      {10, 2, 9, 0.978515625},
      {15, 4, 12, 0.96484375},
      {20, 6, 15, 0.9586105346679688},
      {25, 8, 18, 0.9567147493362427},
      {30, 10, 21, 0.9572260547429323},
      {50, 18, 33, 0.9671608624357315},
      {100, 40, 61, 0.9647997997822951},
      {500, 228, 273, 0.9559365304210726},
      {1000, 469, 532, 0.9537088026395019},
      {1074, 505, 570, 0.952728117567383},
      {1075, 505, 571, 0.9559335206201514},
      {10000, 4902, 5099, 0.9511670501036181},
      {100000, 49690, 50311, 0.9504442853304751},
  };
  for (const auto& c : cases) {
    const auto ranks = MedianIntervalRanks(c.samples);
    ASSERT_TRUE(ranks.ok()) << ranks.status();
    EXPECT_EQ(ranks->low, c.low) << c.samples;
    EXPECT_EQ(ranks->high, c.high) << c.samples;
    EXPECT_NEAR(ranks->coverage, c.coverage, 1e-9) << c.samples;
  }
}

TEST(MedianIntervalRanks, AgreeWithExactIntegerArithmeticAt99Percent) {
  const struct {
    int64_t samples, low, high;
  } cases[] = {{8, 1, 8}, {10, 1, 10}, {30, 8, 23}, {100, 37, 64}, {100000, 49593, 50408}};
  for (const auto& c : cases) {
    const auto ranks = MedianIntervalRanks(c.samples, 0.99);
    ASSERT_TRUE(ranks.ok()) << ranks.status();
    EXPECT_EQ(ranks->low, c.low) << c.samples;
    EXPECT_EQ(ranks->high, c.high) << c.samples;
  }
}

// The definition itself: of all 2^n ways in which n samples fall below or above the median, the
// share in which the two ranks enclose it.
TEST(MedianIntervalRanks, CoverWhatCountingAllOutcomesSays) {
  for (int n = 6; n <= 18; ++n) {
    const auto ranks = MedianIntervalRanks(n);
    ASSERT_TRUE(ranks.ok());
    const auto share = [n](int64_t low) {
      int64_t inside = 0;
      for (uint32_t outcome = 0; outcome < (1u << n); ++outcome) {
        const int below = std::popcount(outcome);
        inside += below >= low && below <= n - low;
      }
      return static_cast<double>(inside) / static_cast<double>(1u << n);
    };
    EXPECT_NEAR(ranks->coverage, share(ranks->low), 1e-12);
    EXPECT_GE(share(ranks->low), 0.95);
    EXPECT_LT(share(ranks->low + 1), 0.95) << "not the narrowest at " << n;
    EXPECT_EQ(ranks->low + ranks->high, n + 1);
  }
}

TEST(MedianIntervalRanks, AreRefusedBelowSixSamplesAndSayWhy) {
  EXPECT_EQ(SamplesForMedianInterval(0.95), 6);
  EXPECT_EQ(SamplesForMedianInterval(0.99), 8);
  for (int64_t n : {-1, 0, 1, 5}) {
    const auto ranks = MedianIntervalRanks(n);
    EXPECT_EQ(ranks.status().code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_NE(ranks.status().message().find("needs 6 samples"), std::string::npos)
        << ranks.status();
  }
}

TEST(MedianIntervalRanks, MeetAConfidenceThatIsReachedExactly) {
  const auto ranks = MedianIntervalRanks(6, 0.96875);
  ASSERT_TRUE(ranks.ok());
  EXPECT_EQ(ranks->low, 1);
  EXPECT_EQ(ranks->high, 6);
}

TEST(MedianInterval, IsMadeOfOrderStatistics) {
  const auto interval = MedianInterval({1, 2, 3, 4, 5, 6, 7, 8, 9});
  ASSERT_TRUE(interval.ok());
  EXPECT_EQ(interval->low, 2);
  EXPECT_EQ(interval->high, 8);
}

// 4000 sets of skewed samples whose true median is 1: the share of intervals that hold it is the
// promised coverage within four standard errors, at sizes where ranks are coarse and fine.
TEST(MedianInterval, CoversTheTrueMedianAsOftenAsItPromises) {
  std::mt19937_64 random(20240607);
  std::lognormal_distribution<double> draw(0, 0.8);
  for (int n : {6, 30, 200}) {
    constexpr int kSets = 4000;
    int held = 0;
    for (int set = 0; set < kSets; ++set) {
      std::vector<double> x(n);
      for (double& v : x) v = draw(random);
      std::sort(x.begin(), x.end());
      const auto interval = MedianInterval(x);
      ASSERT_TRUE(interval.ok());
      held += interval->low <= 1 && 1 <= interval->high;
    }
    const double promised = MedianIntervalRanks(n)->coverage;
    EXPECT_NEAR(static_cast<double>(held) / kSets, promised, 0.0138) << n;
  }
}

}  // namespace
}  // namespace assay::statistics
