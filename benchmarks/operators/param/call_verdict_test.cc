#include "benchmarks/operators/param/call_verdict.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/harness/dispatcher/boxed_operator.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::param {
namespace {

using ::testing::HasSubstr;
using Arguments = std::vector<c10::IValue>;

BoundCall CallOf(std::string_view name, Arguments inputs,
                 const std::optional<execution::OperatorArguments>& build = std::nullopt) {
  const absl::StatusOr<Operator> built = BuildOperator(name, build, at::kCPU);
  EXPECT_TRUE(built.ok()) << built.status();
  absl::StatusOr<BoundCall> call = (*built)({.positional = std::move(inputs)});
  EXPECT_TRUE(call.ok()) << call.status();
  return *std::move(call);
}

c10::IValue ListOf(std::vector<int64_t> values) { return c10::IValue(std::move(values)); }

c10::IValue TensorList(std::vector<at::Tensor> tensors) { return c10::IValue(std::move(tensors)); }

TEST(VerdictOf, EveryKindOfOperatorPasses) {
  const at::Tensor matrix = at::rand({64, 512}).requires_grad_(),
                   image = at::rand({1, 3, 64, 64}).requires_grad_();
  const execution::OperatorArguments bags = {.positional = {2, ListOf({50, 70}), ListOf({4, 8}), 0,
                                                            true, "fp16",
                                                            "exact_row_wise_adagrad"}};
  const at::Tensor indices = at::tensor({1, 1, 3, 0, 69, 7}, at::kLong),
                   offsets = at::tensor({0, 2, 3, 3, 6}, at::kLong);
  const struct {
    const char* name;
    Arguments inputs;
    std::optional<execution::OperatorArguments> build = {};
  } rows[] = {{"torch.mm", {matrix, matrix.t()}},
              {"torch.add_", {at::rand({8}).requires_grad_(), at::rand({8})}},
              // They return nothing: the tensors that they write to are judged.
              {"aten::_foreach_add_", {TensorList({at::rand({8}), at::rand({3})}), 1.5}},
              {"aten::_foreach_sqrt_", {TensorList({at::rand({8}), at::rand({3})})}},
              {"torch.nn.Linear", {matrix}, {{.positional = {512, 8}}}},
              {"torch.nn.Conv2d", {image}, {{.positional = {3, 4, 3}}}},
              {"pytorch.model.resnet", {image}, {{.named = {{"layers", ListOf({1, 1, 1, 1})}}}}},
              {"SplitTableBatchedEmbeddingBagsCodegen", {indices, offsets, at::rand({6})}, bags}};
  for (const auto& row : rows) {
    const BoundCall call = CallOf(row.name, row.inputs, row.build);
    const Verdict verdict = VerdictOf(call, {.backward = true});
    EXPECT_EQ(verdict.outcome(), PASS) << row.name << ": " << verdict.message();
    EXPECT_EQ(call.note.empty(), call.judged.size() == 1) << "its times are not FBGEMM's";
  }
}

TEST(VerdictOf, EachPassIsLookedAtWhereItIsMeasured) {
  const at::Tensor x = at::rand({8, 8}).requires_grad_();
  const BoundCall call = CallOf("torch.mm", {x, x});
  EXPECT_EQ(VerdictOf(call, {.backward = false}).outputs(0).name(), "forward");
  EXPECT_EQ(VerdictOf(call, {.backward = true}).outputs(0).name(), "forward and gradients");
}

TEST(VerdictOf, AWrongCallFailsAndSaysWhere) {
  const at::Tensor x = at::rand({8, 8}).requires_grad_();
  BoundCall call = CallOf("torch.relu", {x});
  const execution::Tensors timed = {call.forward()[0] * 1.0001};
  Verdict verdict = VerdictOf(call, {.timed = &timed});
  EXPECT_EQ(verdict.outcome(), FAIL_ACCURACY);
  EXPECT_THAT(verdict.message(), HasSubstr("result 0 differs from what the timed call returned"));
  call.judged[0].call.run = [run = call.judged[0].call.run](c10::Stack stack) {
    const bool exact = stack[0].toTensor().scalar_type() == at::kDouble;
    c10::Stack results = run(std::move(stack));
    return c10::Stack{exact ? results[0].toTensor() : results[0].toTensor() * 1.01};
  };
  verdict = VerdictOf(call, {});
  EXPECT_EQ(verdict.outcome(), FAIL_ACCURACY);
  EXPECT_THAT(verdict.message(), HasSubstr("of its root mean square"));
}

// The step of the tables is a pass of its own.
TEST(VerdictOf, AnArgumentThatIsWrittenAndNotReturnedIsCompared) {
  BoundCall call = CallOf("aten::_foreach_add_", {TensorList({at::zeros({4})}), 1.5});
  operators::Callable& judged = call.judged[0].call;
  judged.run = [run = judged.run](c10::Stack arguments) {
    const bool exact = arguments[0].toTensorList().get(0).scalar_type() == at::kDouble;
    if (!exact) arguments[1] = 1.25;
    return run(std::move(arguments));
  };
  const Verdict verdict = VerdictOf(call, {});
  EXPECT_EQ(verdict.outcome(), FAIL_ACCURACY);
  EXPECT_THAT(verdict.message(), HasSubstr("result 0[0] differs by 0.17"));
}

TEST(VerdictOf, AWrongStepIsFoundWhereBackwardIsMeasured) {
  const execution::OperatorArguments build = {
      .positional = {1, 5, 4, 0, false, "fp32", "exact_row_wise_adagrad"}};
  BoundCall call = CallOf(
      "SplitTableBatchedEmbeddingBagsCodegen",
      {at::tensor({1, 3}, at::kLong), at::tensor({0, 1, 2}, at::kLong), c10::IValue()}, build);
  ASSERT_EQ(call.judged.size(), 2u);
  call.judged[1].in_float64 = [exact = call.judged[1].call] {
    operators::Callable other = exact;
    other.arguments = operators::InFloat64(other.arguments);
    other.arguments[2] = other.arguments[2].toTensor() * -1;
    return absl::StatusOr<operators::Callable>(other);
  };
  EXPECT_EQ(VerdictOf(call, {.backward = false}).outcome(), PASS);
  const Verdict verdict = VerdictOf(call, {.backward = true});
  EXPECT_EQ(verdict.outcome(), FAIL_ACCURACY);
  EXPECT_THAT(verdict.message(), HasSubstr("backward: "));
}

TEST(VerdictOf, WhatIsNotComparedSaysWhy) {
  const at::Tensor x = at::rand({100});
  const auto message = [](const BoundCall& call, const VerdictOptions& options = {}) {
    const Verdict verdict = VerdictOf(call, options);
    EXPECT_EQ(verdict.outcome(), NOT_VERIFIED);
    return verdict.message();
  };
  EXPECT_THAT(message(CallOf("torch.nn.Dropout", {x})), HasSubstr("random"));
  EXPECT_THAT(message(CallOf("aten::empty_like", {x})),
              HasSubstr("memory that nothing has written"));
  EXPECT_THAT(message(CallOf("torch.relu", {x}), {.memory_bytes = 1000}),
              HasSubstr("float64 would need"));
  const VerdictOptions large = {.backward = true, .pass_bytes = 1e9, .memory_bytes = 1e9};
  EXPECT_THAT(message(CallOf("torch.relu", {x}), large), HasSubstr("float64 would need 2.0 GB"));
  EXPECT_THAT(message({}), HasSubstr("no reference"));
}

}  // namespace
}  // namespace assay::param
