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

// The spread of one or two elements is chance: it may be far smaller than the terms whose sum they are.
TEST(TruthTest, ResultsOfAFewElementsAreJudgedByTheirTerms) {
  OperatorRow row;
  row.set_name("mm");
  row.mutable_call()->set_name("aten::mm");
  const auto add = [&row](const char* name, const char* first, const char* second) {
    InputSpec& input = *row.mutable_call()->add_inputs();
    input.set_name(name);
    input.add_shape(first);
    input.add_shape(second);
    input.mutable_distribution()->mutable_normal();
  };
  add("self", "b", "c");
  add("mat2", "c", "b");
  ErrorModel& model = *row.add_errors();
  model.set_kind("sums");
  model.set_terms("c");
  model.set_roundings(1);
  model.set_largest(10);
  *row.add_sizes() = SizesAt(4, 40);
  for (const Dtype dtype : {Dtype::FP32, Dtype::BF16}) {
    for (uint64_t seed = 1; seed <= 300; ++seed) {
      const SizedCall call = *AtSizes(row, SizesAt(1 + seed % 2, 4), dtype, seed);
      const Truth truth = *TruthOf(call);
      EXPECT_EQ(CompareResults(call, truth.aten, truth, true).text, "") << seed;
      EXPECT_EQ(CompareResults(call, {truth.aten[0] + truth.least_units[0]}, truth, true).kind,
                "differs");
    }
  }
}

TEST(TruthTest, ACallThatTheOperatorDoesNotTakeHasNone) {
  OperatorRow row = ReluRow();
  row.mutable_call()->set_name("aten::no_such_operator");
  EXPECT_FALSE(TruthOf(*AtSizes(row, SizesAt(3, 7), Dtype::FP32, 1)).ok());
}

}  // namespace
}  // namespace assay::kernel
