#include "benchmarks/traces/replay/recorded_results.h"

#include <ATen/ops/arange.h>

#include <limits>
#include <string>

#include "benchmarks/harness/base/sha256.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::traces {
namespace {

using ::testing::HasSubstr;

// As a capture writes it of a contiguous tensor.
RecordedValues Recorded(const at::Tensor& of) {
  RecordedValues recorded;
  recorded.output_digests = {
      base::Sha256Hex({static_cast<const char*>(of.const_data_ptr()), of.nbytes()}).substr(0, 16)};
  recorded.output_samples = {{{0, of[0].item<double>()}, {2, of[2].item<double>()}}};
  return recorded;
}

TEST(CompareRecorded, EqualBitsAreEqualWhateverTheStrides) {
  const at::Tensor x = at::arange(6, at::kFloat).view({2, 3});
  ResultCounts counts;
  EXPECT_EQ(CompareRecorded(Recorded(x.view(-1)), 0, x.t().contiguous().t(), counts), "");
  EXPECT_EQ(counts.equal, 1);
}

TEST(CompareRecorded, RoundingIsNear) {
  const at::Tensor x = at::arange(6, at::kFloat), other = x.clone();
  other[2] = 2.00001;
  ResultCounts counts;
  EXPECT_EQ(CompareRecorded(Recorded(x), 0, other, counts), "");
  EXPECT_EQ(counts.equal, 0);
  EXPECT_EQ(counts.near, 1);
  EXPECT_GT(counts.farthest, 1e-6);
  EXPECT_LT(counts.farthest, 1e-5);
}

TEST(CompareRecorded, ALargerDifferenceAndOneOfWholeNumbersAreWrong) {
  const at::Tensor x = at::arange(6, at::kFloat), other = x.clone();
  other[2] = 2.5;
  ResultCounts counts;
  EXPECT_EQ(CompareRecorded(Recorded(x), 0, other, counts), "element 2 is 2.5, in the trace 2");
  other[2] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(CompareRecorded(Recorded(x), 0, other, counts), HasSubstr("in the trace 2"));
  const at::Tensor whole = at::arange(6, at::kLong), last = whole.clone();
  last[5] = 0;
  EXPECT_THAT(CompareRecorded(Recorded(whole), 0, last, counts), HasSubstr("another digest"));
  EXPECT_EQ(counts.Compared(), 0);
}

TEST(CompareRecorded, ElementsThatNobodyWroteAreNotCompared) {
  RecordedValues recorded;
  recorded.output_digests = {""};
  ResultCounts counts;
  EXPECT_EQ(CompareRecorded(recorded, 0, at::arange(3), counts), "");
  EXPECT_EQ(counts.unwritten, 1);
  EXPECT_EQ(CompareRecorded(recorded, 1, at::arange(3), counts), "");
}

}  // namespace
}  // namespace assay::traces
