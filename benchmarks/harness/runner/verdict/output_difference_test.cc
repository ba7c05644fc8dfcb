#include "benchmarks/harness/runner/verdict/output_difference.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/tensor.h>

#include <cmath>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

using testing::HasSubstr;

numerics::ExpectedOutputs Expected(Dtype dtype) {
  numerics::ExpectedOutputs expected;
  ExpectedOutput& output = *expected.Add();
  output.set_name("y");
  output.set_dtype(dtype);
  output.add_shape(-1);
  return expected;
}

VerifyParameters Limits() {
  VerifyParameters limits;
  limits.set_rule(RELATIVE_TO_STD);
  limits.set_rms_limit(1e-2);
  limits.set_max_limit(1e-2);
  return limits;
}

TEST(BitEqual, LooksAtDtypeShapeAndEveryBit) {
  const at::Tensor a = at::tensor({1.0F, NAN, 0.0F});
  EXPECT_TRUE(BitEqual(a, a.clone())) << "NaN equals the same NaN";
  EXPECT_FALSE(BitEqual(a, at::tensor({1.0F, NAN, -0.0F})));
  EXPECT_FALSE(BitEqual(a, a.to(at::kDouble)));
  EXPECT_FALSE(BitEqual(a, a.view({3, 1})));
  EXPECT_TRUE(BitEqual(at::scalar_tensor(2.5), at::scalar_tensor(2.5)));
  const at::Tensor square = at::arange(6).view({2, 3});
  EXPECT_TRUE(BitEqual(square, square.t().contiguous().t())) << "whatever lies where in memory";
}

TEST(DifferenceOf, TellsEqualFromCloseFromFar) {
  const at::Tensor want = at::tensor({1.0F, -1.0F, 1.0F, -1.0F});
  const OutputDifference equal = DifferenceOf(Expected(FP32), {want}, {want}, Limits());
  EXPECT_TRUE(equal.bit_equal && equal.within_limits);
  EXPECT_EQ(equal.text, "y bit-equal");
  const OutputDifference close = DifferenceOf(Expected(FP32), {want * 1.005}, {want}, Limits());
  EXPECT_FALSE(close.bit_equal);
  EXPECT_TRUE(close.within_limits) << close.reasons;
  EXPECT_EQ(close.text, "y max |Δ| 5.0e-03, rms 5.0e-03 of std");
  const OutputDifference far = DifferenceOf(Expected(FP32), {want * 1.05}, {want}, Limits());
  EXPECT_FALSE(far.bit_equal || far.within_limits);
  EXPECT_THAT(far.reasons, HasSubstr("output \"y\" differs"));
}

TEST(DifferenceOf, WhatCannotBeComparedDiffers) {
  const at::Tensor want = at::tensor({1.0F, 2.0F}), bad = at::tensor({1.0F, NAN});
  EXPECT_TRUE(DifferenceOf(Expected(FP32), {bad}, {bad}, Limits()).bit_equal);
  EXPECT_FALSE(DifferenceOf(Expected(FP32), {bad}, {want}, Limits()).within_limits);
  EXPECT_FALSE(DifferenceOf(Expected(FP32), {want}, {bad}, Limits()).within_limits);
  EXPECT_FALSE(DifferenceOf(Expected(FP32), {}, {want}, Limits()).within_limits);
  EXPECT_FALSE(DifferenceOf(Expected(FP32), {want}, {}, Limits()).within_limits);
  EXPECT_FALSE(DifferenceOf(Expected(FP32), {want.slice(0, 0, 1)}, {want}, Limits()).within_limits);
  // Nobody can read a tensor without memory.
  const at::Tensor unread = want.to(at::kMeta);
  const OutputDifference none = DifferenceOf(Expected(FP32), {unread}, {unread}, Limits());
  EXPECT_FALSE(none.bit_equal || none.within_limits);
  EXPECT_THAT(none.reasons, HasSubstr("output \"y\" reading a tensor: "));
}

TEST(DifferenceOf, IntegersMustBeEqual) {
  const at::Tensor want = at::arange(4), off = want + 1;
  EXPECT_TRUE(DifferenceOf(Expected(INT64), {want}, {want}, Limits()).within_limits);
  EXPECT_FALSE(DifferenceOf(Expected(INT64), {off}, {want}, Limits()).within_limits);
}

}  // namespace
}  // namespace assay::runner
