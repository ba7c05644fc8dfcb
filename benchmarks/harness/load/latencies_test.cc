#include "benchmarks/harness/load/latencies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace assay::load {
namespace {

using testing::ElementsAre;

std::vector<int64_t> OneTo(int64_t last) {
  std::vector<int64_t> numbers(static_cast<size_t>(last));
  std::iota(numbers.begin(), numbers.end(), 1);
  return numbers;
}

// The numbers of MLPerf Inference's rules ("early stopping").
TEST(Latencies, NeedAsManyQueriesAsMlperfDemands) {
  EXPECT_EQ(QueriesNeeded(0.50), 11);
  EXPECT_EQ(QueriesNeeded(0.90), 64);
  EXPECT_EQ(QueriesNeeded(0.95), 130);
  EXPECT_EQ(QueriesNeeded(0.99), 662);
  EXPECT_EQ(QueriesNeeded(0.999), 6636);
}

TEST(Latencies, GiveNoPercentileOfTooFewQueries) {
  EXPECT_FALSE(PercentileOf(OneTo(661), 0.99));
  EXPECT_FALSE(PercentileOf({}, 0.5));
  const std::optional<LatencyPercentile> percentile = PercentileOf(OneTo(662), 0.99);
  ASSERT_TRUE(percentile);
  EXPECT_EQ(percentile->ns(), 656);            // number floor(662 * 0.99) = 655, counted from 0
  EXPECT_EQ(percentile->certified_ns(), 662);  // the longest but none
}

// With 10,000 queries P(X <= 77) = 0.0099, P(X <= 78) = 0.0127 of a binomial distribution with p = 0.01.
TEST(Latencies, CertifyByTheBinomialDistribution) {
  const std::optional<LatencyPercentile> percentile = PercentileOf(OneTo(10000), 0.99);
  ASSERT_TRUE(percentile);
  EXPECT_EQ(percentile->ns(), 9901);
  EXPECT_EQ(percentile->certified_ns(), 10001 - 77);
}

TEST(Latencies, CountFromTheIntendedTime) {
  const std::vector<RequestTimes> requests = {
      {.query = 0, .intended = 1000, .sent = 1100, .done = 3000},
      {.query = 1, .intended = 2000, .sent = 2000, .done = 2500}};
  const LoadSummary summary = Summarize(Scenario::kServer, requests);
  EXPECT_THAT(summary.latencies, ElementsAre(500, 2000));
  EXPECT_THAT(summary.lateness, ElementsAre(0, 100));
  EXPECT_DOUBLE_EQ(summary.elapsed_s, 2e-6);
  EXPECT_DOUBLE_EQ(summary.queries_per_s, 1e6);
}

TEST(Latencies, OfAQueryIsThatOfItsLastReply) {
  std::vector<RequestTimes> requests = {{.query = 7, .intended = 0, .sent = 0, .done = 10},
                                        {.query = 7, .intended = 0, .sent = 0, .done = 30},
                                        {.query = 7, .intended = 0, .sent = 0, .done = 20}};
  const LoadSummary together = Summarize(Scenario::kMultiStream, requests);
  EXPECT_THAT(together.latencies, ElementsAre(30));
  EXPECT_DOUBLE_EQ(together.requests_per_s, 1e8);
  EXPECT_DOUBLE_EQ(together.queries_per_s, 1e9 / 30);
  EXPECT_THAT(Summarize(Scenario::kOffline, requests).latencies, ElementsAre(10, 20, 30));
  EXPECT_TRUE(Summarize(Scenario::kServer, {}).latencies.empty());
}

}  // namespace
}  // namespace assay::load
