#include "benchmarks/operators/kernel/truth.h"

#include <ATen/TensorOperators.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "benchmarks/operators/kernel/test_kernels.h"

namespace assay::kernel {
namespace {

TEST(TruthTest, AtensOwnResultsAreRight) {
  const SizedCall call = *AtSizes(ReluRow(), SizesAt(3, 7), Dtype::FP32, 1);
  const absl::StatusOr<Truth> truth = TruthOf(call);
  ASSERT_TRUE(truth.ok()) << truth.status();
  EXPECT_EQ(truth->exact[0].scalar_type(), at::kDouble);
  EXPECT_EQ(CompareResults(call, truth->aten, *truth, /*usual=*/true).kind, "");
  EXPECT_EQ(CompareResults(call, {truth->aten[0] * 1.01}, *truth, true).kind, "differs");
  EXPECT_EQ(CompareResults(call, {}, *truth, true).kind, "another number of results");
}

TEST(TruthTest, WithoutARowTheDtypesLimitsHold) {
  OperatorRow row = ReluRow();
  row.clear_errors();
  const SizedCall call = *AtSizes(row, SizesAt(30, 70), Dtype::FP32, 1);
  const Truth truth = *TruthOf(call);
  EXPECT_EQ(CompareResults(call, {truth.aten[0] + 1e-7}, truth, true).kind, "");
  EXPECT_EQ(CompareResults(call, {truth.aten[0] * 1.01}, truth, true).kind, "differs");
}

TEST(TruthTest, ACallThatTheOperatorDoesNotTakeHasNone) {
  OperatorRow row = ReluRow();
  row.mutable_call()->set_name("aten::no_such_operator");
  EXPECT_FALSE(TruthOf(*AtSizes(row, SizesAt(3, 7), Dtype::FP32, 1)).ok());
}

}  // namespace
}  // namespace assay::kernel
