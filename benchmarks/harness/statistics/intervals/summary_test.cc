#include "benchmarks/harness/statistics/intervals/summary.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace assay::statistics {
namespace {

std::vector<double> OneTo(int n) {
  std::vector<double> x(n);
  std::iota(x.rbegin(), x.rend(), 1.0);  // descending: the caller need not sort
  return x;
}

TEST(Summarize, DescribesThirtySamples) {
  const auto summary = Summarize(OneTo(30));
  ASSERT_TRUE(summary.ok());
  EXPECT_EQ(summary->count, 30);
  EXPECT_EQ(summary->minimum, 1);
  EXPECT_EQ(summary->maximum, 30);
  EXPECT_EQ(summary->mean, 15.5);
  EXPECT_EQ(summary->median, 15.5);
  EXPECT_EQ(summary->median_interval->low, 10);
  EXPECT_EQ(summary->median_interval->high, 21);
  EXPECT_NEAR(*summary->p10, 3.9, 1e-12);
  EXPECT_NEAR(*summary->p90, 27.1, 1e-12);
}

TEST(Summarize, LeavesOutWhatTooFewSamplesCannotCarry) {
  const auto five = Summarize(OneTo(5));
  ASSERT_TRUE(five.ok());
  EXPECT_EQ(five->median, 3);
  EXPECT_FALSE(five->median_interval.has_value());
  const auto twenty_eight = Summarize(OneTo(28));
  ASSERT_TRUE(twenty_eight.ok());
  EXPECT_TRUE(twenty_eight->median_interval.has_value());
  EXPECT_FALSE(twenty_eight->p90.has_value());
  EXPECT_FALSE(twenty_eight->p10.has_value());
  EXPECT_TRUE(Summarize(OneTo(29))->p90.has_value());
}

TEST(Summarize, RefusesNothingAndNonFiniteSamples) {
  EXPECT_EQ(Summarize({}).status().code(), absl::StatusCode::kInvalidArgument);
  for (double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    const auto refused = Summarize({1, 2, bad});
    EXPECT_EQ(refused.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_NE(refused.status().message().find("sample 2"), std::string::npos);
  }
}

}  // namespace
}  // namespace assay::statistics
