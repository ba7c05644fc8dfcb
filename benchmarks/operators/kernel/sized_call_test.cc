#include "benchmarks/operators/kernel/sized_call.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "benchmarks/operators/kernel/test_kernels.h"
#include "defs/proto/suite.pb.h"

namespace assay::kernel {
namespace {

using ::testing::HasSubstr;

std::string Text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

OperatorRow RowNamed(const std::string& name) {
  OperatorRows rows;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
      Text("benchmarks/operators/kernel/operator_rows.textproto"), &rows));
  for (const OperatorRow& row : rows.rows()) {
    if (row.name() == name) return row;
  }
  ADD_FAILURE() << name;
  return {};
}

// defs/operator_limits.bzl and sized_call.h say the same of a case's sizes.
void ExpectLimitsOfCase(const std::string& row_name, const std::string& case_name, Dtype dtype) {
  Registry registry;
  ASSERT_TRUE(registry.ParseFromString(Text("benchmarks/operators/" + case_name + ".pb")));
  const OperatorRow row = RowNamed(row_name);
  const absl::StatusOr<SizedCall> call = AtSizes(row, row.sizes(0), dtype, 0);
  ASSERT_TRUE(call.ok()) << call.status();
  const VerifyParameters& verify = registry.cases(0).benchmark_case().verify();
  const OutputLimit& limit = call->limits.front();
  EXPECT_DOUBLE_EQ(limit.rms, verify.rms_limit()) << case_name;
  EXPECT_DOUBLE_EQ(limit.largest, verify.max_limit()) << case_name;
  EXPECT_DOUBLE_EQ(limit.rtol, verify.rtol()) << case_name;
  EXPECT_DOUBLE_EQ(limit.atol, verify.atol()) << case_name;
}

TEST(SizedCallTest, LimitsAreThoseOfTheTables) {
  ExpectLimitsOfCase("mm", "mm_fp32_m256_k256_n256", Dtype::FP32);
  ExpectLimitsOfCase("softmax", "softmax_bf16_b16_c96", Dtype::BF16);
  ExpectLimitsOfCase("softmax", "softmax_fp32_b16_c96", Dtype::FP32);
}

TEST(SizedCallTest, EveryRowMakesACallAtItsFirstSizes) {
  OperatorRows rows;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(
      Text("benchmarks/operators/kernel/operator_rows.textproto"), &rows));
  EXPECT_GT(rows.rows_size(), 50);
  for (const OperatorRow& row : rows.rows()) {
    const absl::StatusOr<SizedCall> call = AtSizes(row, row.sizes(0), Dtype::FP32, 0);
    ASSERT_TRUE(call.ok()) << row.name() << " " << call.status();
    const absl::StatusOr<execution::BoundOperator> bound = Bind(row.call().name(), *call);
    EXPECT_TRUE(bound.ok()) << row.name() << " " << bound.status();
  }
}

TEST(SizedCallTest, AnEmptyDimensionIsASize) {
  const absl::StatusOr<SizedCall> call = AtSizes(ReluRow(), SizesAt(0, 5), Dtype::BF16, 0);
  ASSERT_TRUE(call.ok()) << call.status();
  EXPECT_EQ(call->inputs[0].second.sizes(), (std::vector<int64_t>{0, 5}));
  EXPECT_EQ(call->inputs[0].second.scalar_type(), at::kBFloat16);
}

TEST(SizedCallTest, ALetterWithoutASizeIsNamed) {
  EXPECT_EQ(*ProductAt("2*c", SizesAt(3, 5)), 10);
  EXPECT_THAT(ProductAt("2*h", SizesAt(3, 5)).status().message(),
              HasSubstr("'2*h' has no value at b=3 c=5"));
}

TEST(SizedCallTest, OtherSeedsHaveOtherInputs) {
  const auto inputs = [](uint64_t seed) {
    return AtSizes(ReluRow(), SizesAt(3, 5), Dtype::FP32, seed)->inputs[0].second;
  };
  EXPECT_TRUE(inputs(1).equal(inputs(1)));
  EXPECT_FALSE(inputs(1).equal(inputs(2)));
}

}  // namespace
}  // namespace assay::kernel
