#include "benchmarks/operators/param/operators.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/autograd.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "benchmarks/operators/param/embedding_bags.h"
#include "gtest/gtest.h"

namespace assay::param {
namespace {

using execution::OperatorArguments;
using Values = std::vector<c10::IValue>;

absl::StatusOr<BoundCall> Bind(std::string_view name, Values inputs,
                               const std::optional<OperatorArguments>& build = std::nullopt) {
  const absl::StatusOr<Operator> built = BuildOperator(name, build, at::kCPU);
  if (!built.ok()) return built.status();
  return (*built)({.positional = std::move(inputs)});
}

at::Tensor Output(std::string_view name, Values inputs,
                  const std::optional<OperatorArguments>& build = std::nullopt) {
  const absl::StatusOr<BoundCall> call = Bind(name, std::move(inputs), build);
  EXPECT_TRUE(call.ok()) << name << ": " << call.status();
  return call.ok() ? call->forward()[0] : at::Tensor();
}

std::string Error(std::string_view name, Values inputs,
                  const std::optional<OperatorArguments>& build = std::nullopt) {
  return Bind(name, std::move(inputs), build).status().ToString();
}

c10::IValue Tuple(Values values) { return c10::ivalue::Tuple::create(std::move(values)); }

OperatorArguments Build(Values values) { return {.positional = std::move(values)}; }

TEST(Operators, PythonsNamesAreAtens) {
  const at::Tensor a = at::rand({4, 4}), b = at::rand({4, 4});
  EXPECT_TRUE(at::equal(Output("torch.mm", {a, b}), at::mm(a, b)));
  EXPECT_TRUE(at::equal(Output("torch.mul", {a, 2.5}), a * 2.5));
  EXPECT_TRUE(at::equal(Output("torch.add", {a, int64_t{3}}), a + 3));
  EXPECT_TRUE(at::equal(Output("torch.nn.functional.relu", {a - 0.5}), at::relu(a - 0.5)));
  EXPECT_TRUE(at::equal(Output("torch.cat", {Tuple({a, b}), int64_t{1}}), at::concat({a, b}, 1)));
  EXPECT_TRUE(at::equal(Output("torch.reshape", {a, Tuple({2, 8})}), a.reshape({2, 8})));
}

TEST(Operators, InPlaceOnesWriteToALeafAndHaveNoBackwardPass) {
  const at::Tensor a = at::zeros({2}).requires_grad_();
  const absl::StatusOr<BoundCall> call = Bind("torch.add_", {a, int64_t{1}});
  ASSERT_TRUE(call.ok()) << call.status();
  EXPECT_FALSE(call->differentiable);
  call->forward();
  call->forward();
  EXPECT_EQ(a.sum().item<float>(), 4);
  EXPECT_TRUE(Output("torch.clamp_", {at::full({2}, 5.0), 0.0, 1.0}).equal(at::ones({2})));
}

TEST(Operators, ThoseThatTouchFilesNeedTrust) {
  const std::string path = testing::TempDir() + "/touched";
  const Values inputs = {path, true, int64_t{4}};
  EXPECT_TRUE(absl::StrContains(Error("aten::from_file", inputs), "--trust"))
      << Error("aten::from_file", inputs);
  EXPECT_FALSE(std::filesystem::exists(path));
  const absl::StatusOr<Operator> built =
      BuildOperator("aten::from_file", std::nullopt, at::kCPU, /*trusted=*/true);
  ASSERT_TRUE(built.ok());
  ASSERT_TRUE((*built)({.positional = inputs}).ok());
}

TEST(Operators, ABuildsSchemaMayBeThatOfAnotherVersion) {
  const at::Tensor a = at::rand({4, 4});
  for (const char* schema : {"aten::view(Tensor(a) self, int[] size) -> Tensor(a)",
                             "view(Tensor self, int[] shape) -> Tensor",
                             "aten::view(Tensor(a) self, SymInt[] size) -> (Tensor(a))"}) {
    EXPECT_TRUE(at::equal(Output("aten::view", {a, std::vector<int64_t>{16}}, Build({schema})),
                          a.view({16})))
        << schema;
  }
  const char* sum =
      "aten::sum.dim_IntList(Tensor self, int[1] dim, bool keepdim=False, *, int? dtype=None) -> "
      "(Tensor)";  // as PARAM's aten_ops.json has it; LibTorch's is int[1]? and ScalarType?
  EXPECT_TRUE(at::equal(Output("aten::sum", {a, c10::IValue()}, Build({sum})), a.sum()));
  EXPECT_TRUE(absl::StrContains(
      Error("aten::view", {a}, Build({"aten::view(Tensor self, float size) -> Tensor"})),
      "LibTorch's is"));
}

TEST(Operators, ABuildsSchemaChoosesTheOverload) {
  const at::Tensor a = at::rand({4, 4});
  const char* schema = "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor";
  EXPECT_TRUE(at::equal(Output("aten::add", {a, a}, Build({schema})), a + a));
  // A build as older files have it.
  EXPECT_TRUE(at::equal(Output("aten::add", {a, a}, Build({Tuple({"Tensor", "Tensor"})})), a + a));
  EXPECT_TRUE(at::equal(Output("aten::add.Tensor", {a, a}), a + a));
  EXPECT_TRUE(at::equal(Output("aten::add", {a, a, 3}), a + 3 * a));  // by position, as TorchScript
}

TEST(Operators, WhatDoesNotFitIsNamed) {
  const at::Tensor a = at::rand({4, 4});
  EXPECT_TRUE(absl::StartsWith(Error("torch.addd", {a}), "NOT_FOUND: there is no operator"));
  EXPECT_TRUE(absl::StrContains(Error("torch.addd", {a}), "aten::add"));
  EXPECT_TRUE(absl::StartsWith(Error("torch.mm", {a}), "INVALID_ARGUMENT"));
  EXPECT_TRUE(absl::StartsWith(Error("torch.nn.Conv9d", {a}), "NOT_FOUND"));
  EXPECT_TRUE(absl::StrContains(
      Error("aten::add", {a, a}, Build({"aten::mul.Tensor(Tensor self, Tensor other) -> Tensor"})),
      "is that of aten::mul.Tensor"));
  EXPECT_TRUE(absl::StrContains(
      Error("aten::add", {a, a}, Build({"aten::add.Tensor(Tensor self, int other) -> Tensor"})),
      "LibTorch's is aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1)"));
  EXPECT_TRUE(absl::StartsWith(Error("aten::add", {a, a}, Build({"add("})), "INVALID_ARGUMENT"));
  // One that would overflow the stack of LibTorch's parser.
  EXPECT_TRUE(absl::StrContains(
      Error("aten::add", {a, a}, Build({"aten::add.Tensor(" + std::string(300'000, '(')})),
      "has 300017 characters; at most 2000"));
  EXPECT_TRUE(absl::StartsWith(
      Error("aten::add", {a, a}, Build({"aten::add.Absent(Tensor x) -> Tensor"})), "NOT_FOUND"));
}

TEST(Operators, ModulesTakePythonsArguments) {
  const at::Tensor image = at::rand({2, 4, 9, 9}), rows = at::rand({3, 8});
  EXPECT_EQ(Output("torch.nn.Linear", {rows}, Build({8, 5})).sizes(), at::IntArrayRef({3, 5}));
  const at::Tensor y = Output("torch.nn.Linear", {rows},
                              OperatorArguments{{8}, {{"out_features", 5}, {"bias", false}}});
  EXPECT_TRUE(y.requires_grad());
  EXPECT_LE(y.abs().max().item<double>(), 8 / std::sqrt(8.0));
  EXPECT_EQ(Output("torch.nn.Conv2d", {image},
                   OperatorArguments{{4, 6, 3},
                                     {{"stride", 2}, {"padding", Tuple({1, 0})}, {"groups", 2}}})
                .sizes(),
            at::IntArrayRef({2, 6, 5, 4}));
  EXPECT_EQ(Output("torch.nn.Conv2d", {image}, OperatorArguments{{4, 6, 3}, {{"padding", "same"}}})
                .sizes(),
            at::IntArrayRef({2, 6, 9, 9}));
  EXPECT_TRUE(absl::StrContains(
      Error("torch.nn.Conv2d", {image},
            OperatorArguments{{4, 6, 3}, {{"padding", 2}, {"padding_mode", "reflect"}}}),
      "padding_mode"));
  EXPECT_TRUE(
      at::equal(Output("torch.nn.MaxPool2d", {image}, Build({3, 2})), at::max_pool2d(image, 3, 2)));
  EXPECT_TRUE(
      at::equal(Output("torch.nn.MaxPool2d", {image}, Build({3})), at::max_pool2d(image, 3, 3)));
  EXPECT_TRUE(at::equal(Output("torch.nn.AdaptiveAvgPool2d", {image}, Build({Tuple({2, 3})})),
                        at::adaptive_avg_pool2d(image, {2, 3})));
  EXPECT_TRUE(at::equal(Output("torch.nn.ReLU", {image}), at::relu(image)));
  EXPECT_NEAR(
      (Output("torch.nn.Dropout", {at::ones({10000})}, Build({0.25})) == 0).sum().item<int64_t>(),
      2500, 300);
  EXPECT_TRUE(absl::StrContains(Error("torch.nn.Linear", {rows}, Build({8})), "out_features"));
  EXPECT_TRUE(
      absl::StrContains(Error("torch.nn.Conv2d", {rows}, Build({4, 6, 3, 1, 0, 1, 0})), "groups"));
}

TEST(Operators, TheNetworksTrain) {
  for (const char* name : {"pytorch:alex_net", "pytorch.model.resnet"}) {
    const absl::StatusOr<BoundCall> call =
        Bind(name, {at::rand({2, 3, 224, 224}).requires_grad_()});
    ASSERT_TRUE(call.ok()) << call.status();
    const at::Tensor y = call->forward()[0];
    EXPECT_EQ(y.sizes(), at::IntArrayRef({2, 1000}));
    EXPECT_TRUE(y.requires_grad());
    EXPECT_TRUE(y.isfinite().all().item<bool>()) << name;
    EXPECT_FALSE(at::equal(y[0], y[1]));
  }
}

constexpr char kBags[] = "SplitTableBatchedEmbeddingBagsCodegen";

OperatorArguments BagsBuild(int64_t pooling, const char* precision) {
  return Build(
      {2, Tuple({5, 7}), Tuple({3, 2}), pooling, false, precision, "exact_row_wise_adagrad"});
}

TEST(EmbeddingBags, TablesStandSideBySide) {
  const at::Tensor indices = at::tensor({0, 4, 4, 6, 1, 2}, at::kLong),
                   offsets = at::tensor({0, 1, 3, 3, 6}, at::kLong);
  const at::Tensor sum = Output(kBags, {indices, offsets, c10::IValue()}, BagsBuild(0, "fp32"));
  EXPECT_EQ(sum.sizes(), at::IntArrayRef({2, 5}));
  EXPECT_EQ(sum.slice(0, 0, 1).slice(1, 3, 5).abs().sum().item<float>(), 0);  // an empty bag
  const at::Tensor mean = Output(kBags, {indices, offsets, c10::IValue()}, BagsBuild(1, "fp32"));
  EXPECT_TRUE(at::allclose(sum[1].slice(0, 0, 3), mean[1].slice(0, 0, 3) * 2));
  const at::Tensor half = Output(kBags, {indices, offsets, c10::IValue()}, BagsBuild(0, "fp16"));
  EXPECT_EQ(half.scalar_type(), at::kFloat);
  EXPECT_TRUE(at::allclose(half, sum, 1e-2, 1e-3));
}

TEST(EmbeddingBags, TheBackwardPassIsTheStep) {
  const at::Tensor indices = at::tensor({1, 1, 3, 0}, at::kLong),
                   offsets = at::tensor({0, 2, 3, 3, 4}, at::kLong);
  const absl::StatusOr<BoundCall> call =
      Bind(kBags, {indices, offsets, c10::IValue()}, BagsBuild(0, "fp32"));
  ASSERT_TRUE(call.ok()) << call.status();
  const at::Tensor before = call->forward()[0];
  call->backward({at::ones_like(before)});
  const at::Tensor after = call->forward()[0];
  // Row 1 has gradient 2 in each of its elements, its square 4: a step of 0.01 * 2 / 2, read twice.
  EXPECT_TRUE(at::allclose(before[0].slice(0, 0, 3) - after[0].slice(0, 0, 3), at::full({3}, 0.02),
                           1e-4, 1e-6));
  EXPECT_TRUE(at::allclose(before[1].slice(0, 0, 3) - after[1].slice(0, 0, 3), at::full({3}, 0.01),
                           1e-4, 1e-6));
}

TEST(EmbeddingBags, TheStepIsRowwiseAdagrad) {
  const at::Tensor table = at::rand({4, 3}), squares = at::rand({4});
  const at::Tensor indices = at::tensor({2, 0, 2}, at::kLong), gradients = at::rand({3, 3});
  at::Tensor moved = table.clone(), grown = squares.clone();
  const RowwiseAdagrad optimizer = {.learning_rate = 0.1, .epsilon = 1e-3};
  optimizer.Step(moved, grown, indices, gradients);
  for (const int64_t row : {0, 1, 2, 3}) {
    double g[3] = {}, mean_square = 0;
    for (int64_t i = 0; i < 3; ++i) {
      for (int64_t d = 0; d < 3; ++d)
        g[d] += indices[i].item<int64_t>() == row ? gradients[i][d].item<double>() : 0;
    }
    for (const double value : g) mean_square += value * value / 3;
    const double h = squares[row].item<double>() + mean_square;
    EXPECT_NEAR(grown[row].item<double>(), h, 1e-5);
    for (int64_t d = 0; d < 3; ++d) {
      EXPECT_NEAR(moved[row][d].item<double>(),
                  table[row][d].item<double>() - 0.1 / (std::sqrt(h) + 1e-3) * g[d], 1e-5);
    }
  }
}

TEST(EmbeddingBags, InputsThatWouldBeReadBeyondTheirEndAreRefused) {
  const at::Tensor offsets = at::tensor({0, 1, 2, 3, 4}, at::kLong);
  EXPECT_TRUE(
      absl::StrContains(Error(kBags, {at::tensor({0, 5, 1, 1}, at::kLong), offsets, c10::IValue()},
                              BagsBuild(0, "fp32")),
                        "beyond the 5 rows of table 0"));
  EXPECT_TRUE(
      absl::StrContains(Error(kBags, {at::tensor({0, 1, 1}, at::kLong), offsets, c10::IValue()},
                              BagsBuild(0, "fp32")),
                        "offsets rise"));
  EXPECT_TRUE(absl::StrContains(
      Error(kBags, {offsets, offsets, c10::IValue()}, BagsBuild(2, "fp32")), "pooling"));
  EXPECT_TRUE(absl::StrContains(
      Error(kBags, {offsets, offsets, c10::IValue()}, BagsBuild(0, "int4")), "weights_precision"));
}

}  // namespace
}  // namespace assay::param
