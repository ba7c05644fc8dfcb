#include "benchmarks/operators/kernel/element_check.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace assay::kernel {
namespace {

using ::testing::HasSubstr;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNan = std::numeric_limits<double>::quiet_NaN();

Difference Held(const at::Tensor& got, const at::Tensor& truth, const OutputLimit& limit,
                const at::Tensor* aten = nullptr) {
  return CompareElements(got, truth, at::kFloat, limit, aten, 0xFF);
}

OutputLimit Elements(double rtol) { return {.kind = OutputLimit::Kind::kElements, .rtol = rtol}; }

TEST(ElementCheckTest, TheWorstElementIsNamed) {
  const at::Tensor truth = at::linspace(1, 6, 6, at::kDouble).view({2, 3});
  at::Tensor got = truth.to(at::kFloat);
  EXPECT_EQ(Held(got, truth, Elements(1e-6)).kind, "");
  got[1][2] = 6.5;
  got[0][1] = 2.01;
  const Difference difference = Held(got, truth, Elements(1e-3));
  EXPECT_EQ(difference.kind, "differs");
  EXPECT_THAT(difference.text, HasSubstr("result [1, 2] is 6.5, float64 gives 6 (allowed"));
  EXPECT_NEAR(difference.share, 0.5 / 6e-3, 1e-3);
}

TEST(ElementCheckTest, TheLargestErrorsAreInfiniteWhereOneNumberAloneIsFinite) {
  const at::Tensor truth = at::tensor({4.0, kInfinity, kNan}, at::kDouble);
  at::Tensor got = truth.to(at::kFloat);
  got[0] = 5;
  Difference difference = Held(got, truth, Elements(1));
  EXPECT_EQ(difference.absolute, 1);
  EXPECT_NEAR(difference.relative, 0.25, 1e-6);
  for (const double number : {kInfinity, kNan}) {
    got[0] = number;
    difference = Held(got, truth, Elements(1));
    EXPECT_EQ(difference.absolute, kInfinity);
    EXPECT_EQ(difference.relative, kInfinity);
  }
  // ATen's own kernel has none there, either.
  EXPECT_EQ(Held(got, truth, Elements(1), &got).absolute, 0);
}

TEST(ElementCheckTest, ALimitIsReachedAtOne) {
  const at::Tensor truth = at::full({4}, 8.0, at::kDouble);
  at::Tensor got = truth.to(at::kFloat);
  got[2] = 8.5;
  EXPECT_EQ(Held(got, truth, Elements(0.0625)).kind, "");
  EXPECT_EQ(Held(got, truth, Elements(0.0624)).kind, "differs");
}

TEST(ElementCheckTest, SpreadHoldsTheRootMeanSquareToo) {
  const at::Tensor truth = at::linspace(-1, 1, 1000, at::kDouble);
  const at::Tensor got = (truth + 0.01).to(at::kFloat);
  const OutputLimit tight = {.rms = 0.001, .largest = 1};
  const Difference difference = Held(got, truth, tight);
  EXPECT_EQ(difference.kind, "differs");
  EXPECT_THAT(difference.text, HasSubstr("root mean square"));
  EXPECT_EQ(Held(got, truth, {.rms = 0.1, .largest = 1}).kind, "");
  EXPECT_EQ(Held(got, truth, {.rms = 1, .largest = 0.001}).kind, "differs");
}

TEST(ElementCheckTest, NanAndInfinityStandWhereTheTruthHasThem) {
  const at::Tensor truth = at::tensor({1.0, kNan, kInfinity, -kInfinity}, at::kDouble);
  at::Tensor got = truth.to(at::kFloat);
  EXPECT_EQ(Held(got, truth, Elements(1e-6)).kind, "");
  for (int64_t i = 0; i < 4; ++i) {
    at::Tensor wrong = got.clone();
    wrong[i] = i == 0 ? kNan : 5;
    EXPECT_EQ(Held(wrong, truth, Elements(1e-6)).kind, "differs") << i;
  }
  got[2] = -kInfinity;
  EXPECT_EQ(Held(got, truth, Elements(1e-6)).kind, "differs");
}

TEST(ElementCheckTest, ANumberBeyondTheDtypesLargestIsInfinite) {
  const at::Tensor truth = at::full({1}, 1e39, at::kDouble);
  EXPECT_EQ(Held(at::full({1}, kInfinity, at::kFloat), truth, Elements(1e-6)).kind, "");
  EXPECT_EQ(Held(at::full({1}, -kInfinity, at::kFloat), truth, Elements(1e-6)).kind, "differs");
}

TEST(ElementCheckTest, UnusualValuesMayBeAsWrongAsTwiceAtens) {
  const at::Tensor truth = at::full({2}, 1.0, at::kDouble);
  const at::Tensor aten = at::tensor({1.1, kInfinity}, at::kFloat);
  EXPECT_EQ(Held(at::tensor({0.81, kNan}, at::kFloat), truth, Elements(1e-6), &aten).kind, "");
  EXPECT_EQ(Held(at::tensor({0.79, 1.0}, at::kFloat), truth, Elements(1e-6), &aten).kind,
            "differs");
}

TEST(ElementCheckTest, AFreeElementIsNoPartOfTheRootMeanSquare) {
  const at::Tensor truth = at::linspace(-1, 1, 1000, at::kDouble);
  at::Tensor aten = truth.to(at::kFloat), got = aten.clone();
  got[0] = 1e6;
  const OutputLimit limit = {.rms = 0.1, .largest = 1};
  EXPECT_EQ(Held(got, truth, limit, &aten).kind, "differs");
  aten[0] = kInfinity;
  EXPECT_EQ(Held(got, truth, limit, &aten).kind, "");
  got[1] = 1e6;
  EXPECT_EQ(Held(got, truth, limit, &aten).kind, "differs");
}

TEST(ElementCheckTest, AnElementThatHoldsThePoisonWasNotWrittenTo) {
  const at::Tensor truth = at::zeros({3}, at::kDouble);
  at::Tensor got = truth.to(at::kFloat);
  static_cast<uint32_t*>(got.mutable_data_ptr())[1] = 0xFFFFFFFF;
  const Difference difference = Held(got, truth, Elements(1e-6));
  EXPECT_EQ(difference.kind, "unwritten");
  EXPECT_EQ(difference.text, "result [1] was not written to; float64 gives 0");
}

TEST(ElementCheckTest, ShapesAndDtypesAreAtens) {
  const at::Tensor truth = at::zeros({3}, at::kDouble);
  EXPECT_EQ(Held(at::zeros({1, 3}, at::kFloat), truth, Elements(1)).kind, "another shape");
  EXPECT_EQ(Held(at::zeros({3}, at::kHalf), truth, Elements(1)).kind, "another dtype");
}

}  // namespace
}  // namespace assay::kernel
