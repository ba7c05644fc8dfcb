#include "benchmarks/operators/judge/judgement.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>

#include "benchmarks/harness/dispatcher/boxed_operator.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::operators {
namespace {

using testing::HasSubstr;

// A call of one tensor.
Callable Of(const at::Tensor& x, std::function<at::Tensor(const at::Tensor&)> function) {
  return {.arguments = {x}, .names = {"x"}, .run = [function = std::move(function)](c10::Stack s) {
            return c10::Stack{function(s[0].toTensor())};
          }};
}

Judgement Judged(const Callable& call, const JudgeOptions& options = {},
                 const CallNotes& notes = {}) {
  return Judge(call, ArgumentState(call), ByCasting(call), notes, options);
}

TEST(Judge, ComparesResultsAndGradientsInTheirDtype) {
  for (const at::ScalarType dtype : {at::kFloat, at::kHalf, at::kBFloat16, at::kDouble}) {
    const at::Tensor x = at::randn({4, 8}).to(dtype).requires_grad_();
    const auto bound = execution::BindOperator("aten::mm", {.positional = {x, x.t()}});
    ASSERT_TRUE(bound.ok()) << bound.status();
    const Judgement judgement = Judged(CallableOf(*bound));
    EXPECT_EQ(judgement.finding, Finding::kVerified) << dtype << ": " << judgement.reason;
    EXPECT_TRUE(judgement.differentiated);
    EXPECT_EQ(judgement.elements, 32);
    EXPECT_FALSE(x.grad().defined()) << "the caller's";
  }
}

TEST(Judge, FindsAFaultOfOneDtypeAndOneOfTheGradientAlone) {
  const at::Tensor x = at::randn({64}).to(at::kHalf);
  const Callable wrong =
      Of(x, [](const at::Tensor& t) { return t.scalar_type() == at::kHalf ? t * 1.1 : t * 1; });
  EXPECT_EQ(Judged(wrong).finding, Finding::kDiffers);
  const Callable detached = Of(at::randn({64}), [](const at::Tensor& t) {
    return t.scalar_type() == at::kFloat ? t * t.detach() : t * t;
  });
  EXPECT_THAT(Judged(detached).reason, HasSubstr("gradient 0 differs"));
  const Judgement forward = Judged(detached, {.gradients = false});
  EXPECT_EQ(forward.finding, Finding::kVerified) << forward.reason;
  EXPECT_FALSE(forward.differentiated);
}

TEST(Judge, WhatWasTimedIsWhatIsJudged) {
  const at::Tensor x = at::randn({8});
  const Callable twice = Of(x, [](const at::Tensor& t) { return t * 2; });
  const std::vector<at::Tensor> same = {x * 2}, other = {x * 2.0001};
  EXPECT_EQ(Judged(twice, {.timed = &same}).finding, Finding::kVerified);
  const Judgement judgement = Judged(twice, {.timed = &other});
  EXPECT_EQ(judgement.finding, Finding::kDiffers);
  EXPECT_EQ(judgement.reason, "result 0 differs from what the timed call returned");
}

// A network's weights: compared, and left with the gradients that they had.
TEST(Judge, ComparesTheGradientsOfWeights) {
  const at::Tensor x = at::randn({2, 4}), weight = at::randn({3, 4}).requires_grad_();
  weight.mutable_grad() = at::ones({3, 4});
  const auto layer = [&](double factor, const at::Tensor& w) {
    Callable call = Of(x, [=](const at::Tensor& t) {
      return at::linear(t, w * factor - w.detach() * (factor - 1));
    });
    call.weights = {w};
    return call;
  };
  const auto judged = [&](double factor) {
    const Callable call = layer(factor, weight);
    return Judge(call, ArgumentState(call),
                 [&]() -> absl::StatusOr<Callable> {
                   Callable exact = layer(1, weight.detach().to(at::kDouble).requires_grad_());
                   exact.arguments = InFloat64(exact.arguments);
                   return exact;
                 },
                 {});
  };
  const Judgement right = judged(1);
  EXPECT_EQ(right.finding, Finding::kVerified) << right.reason;
  EXPECT_TRUE(at::equal(weight.grad(), at::ones({3, 4})));
  EXPECT_THAT(judged(1.01).reason, HasSubstr("gradient 1 differs"));  // 0 is that of x
}

TEST(Judge, SaysWhatIsNotCompared) {
  const at::Tensor x = at::ones({100});
  const Callable drops = Of(x, [](const at::Tensor& t) { return at::dropout(t, 0.5, true); });
  EXPECT_EQ(Judged(drops, {.random = true}).finding, Finding::kSeeded);
  EXPECT_EQ(Judged(drops).finding, Finding::kVerified) << "on the CPU float64 drops the same ones";
  const Callable narrow = Of(x, [](const at::Tensor& t) {
    TORCH_CHECK(t.scalar_type() == at::kFloat, "float only");
    return t * 2;
  });
  const Judgement judgement = Judged(narrow);
  EXPECT_EQ(judgement.finding, Finding::kNotCompared);
  EXPECT_THAT(judgement.reason, HasSubstr("float only"));
  EXPECT_EQ(Judged(narrow, {}, {.free = "no matter"}).finding, Finding::kFree);
}

TEST(InFloat64, CastsFloatsAloneAlsoInLists) {
  const at::Tensor half = at::ones({2}).to(at::kHalf), whole = at::ones({2}).to(at::kLong);
  const c10::Stack cast = InFloat64(
      {half, whole, std::vector<at::Tensor>{half}, 2.5, c10::IValue(), c10::Device("cuda:1")});
  EXPECT_EQ(cast[0].toTensor().scalar_type(), at::kDouble);
  EXPECT_EQ(cast[1].toTensor().scalar_type(), at::kLong);
  EXPECT_EQ(cast[2].toTensorVector()[0].scalar_type(), at::kDouble);
  EXPECT_EQ(cast[3].toDouble(), 2.5);
  EXPECT_TRUE(cast[4].isNone());
  EXPECT_TRUE(cast[5].toDevice().is_cpu());
}

}  // namespace
}  // namespace assay::operators
