#include "benchmarks/harness/sampling/stop_rule.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <vector>

#include "absl/time/time.h"
#include "benchmarks/harness/sampling/sample_log.h"
#include "benchmarks/harness/statistics/intervals/median_interval.h"
#include "gtest/gtest.h"

namespace assay::sampling {
namespace {

struct Stop {
  StopReason reason;
  int64_t samples;
};

// Feeds the rule with samples from `draw`, each of which takes its own duration, until it stops.
Stop Feed(StopRule& rule, const std::function<int64_t()>& draw, int64_t max_samples = 100'000) {
  SampleLog log(max_samples);
  rule.Start(max_samples);
  int64_t elapsed_ns = 0;
  while (!log.full()) {
    log.Append({.duration_ns = draw()});
    elapsed_ns += log.samples().back().duration_ns;
    if (const auto reason = rule.Check(log, elapsed_ns)) {
      return {*reason, log.size()};
    }
  }
  return {StopReason::kLogFull, log.size()};
}

TEST(PrecisionRule, StopsAtTheFewestSamplesWhenAllAreEqual) {
  PrecisionRule rule({});
  const Stop stop = Feed(rule, [] { return 1000; });
  EXPECT_EQ(stop.reason, StopReason::kPrecise);
  EXPECT_EQ(stop.samples, 30);
}

TEST(PrecisionRule, DoesNotTrustANarrowIntervalBeforeItsTime) {
  PrecisionRule rule({.min_time = absl::Milliseconds(1)});
  const Stop stop = Feed(rule, [] { return 1000; });
  EXPECT_EQ(stop.reason, StopReason::kPrecise);
  EXPECT_EQ(stop.samples, 1000);
}

TEST(PrecisionRule, StopsWhenTheIntervalIsNarrow) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> noise(1e6, 1e4);  // 1 %
  std::vector<double> seen;
  PrecisionRule rule({.budget = absl::Hours(1)});  // README says 0.25 %
  const Stop stop = Feed(rule, [&] {
    seen.push_back(std::round(noise(random)));
    return static_cast<int64_t>(seen.back());
  });
  EXPECT_EQ(stop.reason, StopReason::kPrecise);
  // Half width = 1.96 * 1.2533 * 1 % / sqrt(n) <= 0.25 % needs about 97 samples.
  EXPECT_GT(stop.samples, 40);
  EXPECT_LT(stop.samples, 250);
  std::sort(seen.begin(), seen.end());
  const auto interval = statistics::MedianInterval(seen);
  EXPECT_LE((interval->high - interval->low) / 2, 0.0025 * seen[seen.size() / 2]);
}

// For 30 samples the interval runs from the 10th to the 21st: 990 to 1010 here, with nothing but
// the median in between. One rank further in it would have no width, one further out ten times as much.
TEST(PrecisionRule, LooksAtTheRanksOfTheInterval) {
  std::vector<int64_t> samples(30, 1000);
  std::fill_n(samples.begin(), 10, 990);
  std::fill_n(samples.rbegin(), 10, 1010);
  std::fill_n(samples.begin(), 9, 900);
  std::fill_n(samples.rbegin(), 9, 1100);
  std::shuffle(samples.begin(), samples.end(), std::mt19937_64(3));
  for (double half_width : {0.01, 0.00999}) {
    PrecisionRule rule({.relative_half_width = half_width, .budget = absl::Hours(1)});
    size_t i = 0;
    const Stop stop = Feed(
        rule, [&] { return samples[i++]; }, 30);
    EXPECT_EQ(stop.reason, half_width == 0.01 ? StopReason::kPrecise : StopReason::kLogFull);
  }
}

TEST(PrecisionRule, GoesOnWhileTheIntervalIsWide) {
  int64_t i = 0;
  PrecisionRule rule({.relative_half_width = 0.05, .budget = absl::Hours(1)});
  const Stop stop = Feed(
      rule, [&] { return ++i % 2 == 0 ? 900 : 1100; }, 10'000);
  EXPECT_EQ(stop.reason, StopReason::kLogFull) << "two modes 20 % apart never come within 5 %";
}

TEST(PrecisionRule, StopsWhenTheTimeIsUp) {
  int64_t i = 0;
  PrecisionRule rule({.budget = absl::Milliseconds(1)});
  const Stop stop = Feed(rule, [&] { return ++i % 2 == 0 ? 9'000 : 11'000; });
  EXPECT_EQ(stop.reason, StopReason::kBudget);
  EXPECT_EQ(stop.samples, 100);
}

TEST(PrecisionRule, TakesSixSamplesOfASlowCaseInTenTimesTheBudget) {
  for (const auto& [sample_ms, samples] :
       {std::pair{600, 6}, {1'600, 6}, {1'700, 5}, {5'000, 2}, {5'001, 1}, {60'000, 1}}) {
    PrecisionRule rule({.budget = absl::Seconds(1)});
    const Stop stop = Feed(rule, [ms = sample_ms] { return int64_t{1'000'000} * ms; });
    EXPECT_EQ(stop.reason, StopReason::kBudget) << sample_ms;
    EXPECT_EQ(stop.samples, samples) << sample_ms;
  }
}

TEST(PrecisionRule, KeepsAStrictBudgetWhenToldTo) {
  PrecisionRule rule({.budget = absl::Seconds(1), .min_samples_in_budget = 1});
  EXPECT_EQ(Feed(rule, [] { return 10'000'000'000; }).samples, 1);
}

TEST(PrecisionRule, NeverClaimsPrecisionBelowSixSamples) {
  PrecisionRule rule({.min_samples = 1});
  const Stop stop = Feed(rule, [] { return 1000; });
  EXPECT_EQ(stop.reason, StopReason::kPrecise);
  EXPECT_EQ(stop.samples, 6);
}

TEST(PrecisionRule, TakesAClockThatShowsNothingAsPrecise) {
  PrecisionRule rule({});
  EXPECT_EQ(Feed(rule, [] { return 0; }).samples, 30);
}

TEST(PrecisionRule, CanBeUsedAgain) {
  PrecisionRule rule({});
  Feed(rule, [] { return 1000; });
  EXPECT_EQ(Feed(rule, [] { return 1000; }).samples, 30);
}

// In at most 5 % of 400 runs on skewed noise the median at the stop is further from the true one
// than twice the promised half width.
TEST(PrecisionRule, IsHonestAboutTheErrorOfTheMedian) {
  std::mt19937_64 random(11);
  std::lognormal_distribution<double> skewed(std::log(1e6), 0.05);
  int missed = 0;
  constexpr int kRuns = 400;
  for (int run = 0; run < kRuns; ++run) {
    std::vector<int64_t> seen;
    PrecisionRule rule({.relative_half_width = 0.005, .budget = absl::Hours(1)});
    const Stop stop = Feed(
        rule,
        [&] {
          seen.push_back(std::llround(skewed(random)));
          return seen.back();
        },
        5'000);
    ASSERT_EQ(stop.reason, StopReason::kPrecise);
    std::nth_element(seen.begin(), seen.begin() + seen.size() / 2, seen.end());
    missed += std::abs(static_cast<double>(seen[seen.size() / 2]) / 1e6 - 1) > 2 * 0.005;
  }
  EXPECT_LE(missed, kRuns / 20);
}

TEST(SampleCountRule, StopsAtTheCount) {
  SampleCountRule rule(17);
  const Stop stop = Feed(rule, [] { return 1; });
  EXPECT_EQ(stop.reason, StopReason::kSampleCount);
  EXPECT_EQ(stop.samples, 17);
}

TEST(StopReasonName, IsDifferentForEachReason) {
  EXPECT_EQ(StopReasonName(StopReason::kPrecise), "precise");
  EXPECT_EQ(StopReasonName(StopReason::kBudget), "budget");
  EXPECT_EQ(StopReasonName(StopReason::kSampleCount), "sample_count");
  EXPECT_EQ(StopReasonName(StopReason::kLogFull), "log_full");
  EXPECT_EQ(StopReasonName(StopReason::kInterrupted), "interrupted");
}

}  // namespace
}  // namespace assay::sampling
