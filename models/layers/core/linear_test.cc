// Tests what Linear is made into by Model::Lower().
#include "models/layers/core/linear.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/quantize_per_tensor.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "defs/case/lowerings.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/layers/core/layered_model.h"
#include "models/testing/scaled_mm_on_cpu.h"

namespace assay::models {
namespace {

// Gives every tensor other values than its neighbours have; scales and variances are positive.
void FillState(Model& model) {
  for (NamedTensor& entry : model.State()) {
    if (!entry.tensor.is_floating_point()) continue;
    entry.tensor.copy_(at::arange(entry.tensor.numel())
                           .mul(0.37)
                           .sin()
                           .mul(0.4)
                           .add(entry.name.find("var") != std::string::npos ? 1 : 0.1)
                           .view(entry.tensor.sizes()));
  }
}

class TwoLinears final : public LayeredModel {
 public:
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    return {second_.Forward(first_.Forward(inputs[0]))};
  }
  Linear first_{*this, "first", {.in = 5, .out = 7}};
  Linear second_{*this, "second", {.in = 7, .out = 3, .bias = false, .in_first = true}};
};

// The results of quantized::linear_dynamic, by float arithmetic on rounded values: the weight on 255
// steps around 0, the input on 128 steps of its own range, in which 0 lies.
at::Tensor RoundedLinear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  const double scale = weight.abs().max().item<double>() / 127.5;
  const double low = std::min(x.min().item<double>(), 0.0),
               high = std::max(x.max().item<double>(), 0.0);
  const double step = (high - low) / 127;
  const auto zero = static_cast<int64_t>(std::nearbyint(-low / step));
  return at::linear(at::quantize_per_tensor(x, step, zero, at::kQUInt8).dequantize(),
                    at::quantize_per_tensor(weight, scale, 0, at::kQInt8).dequantize(), bias);
}

TEST(LinearTest, Int8DynamicRoundsWeightsAndInputsOfLinearLayers) {
  TwoLinears model;
  FillState(model);
  model.State()[0].tensor.neg_();  // so that the largest of its numbers is negative
  const std::vector<NamedTensor> before = model.State();
  const at::Tensor x = at::arange(20).to(at::kFloat).mul(0.7).cos().view({4, 5});
  const at::Tensor exact = model.Forward({x})[0];
  const at::Tensor hidden = RoundedLinear(x, before[0].tensor, before[1].tensor);
  const at::Tensor expected = RoundedLinear(hidden, before[2].tensor.t(), {});
  ASSERT_TRUE(model.Lower({lowerings::kInt8Dynamic}).ok());
  const at::Tensor got = model.Forward({x})[0];
  EXPECT_TRUE(at::allclose(got, expected, 1e-4, 1e-5));
  EXPECT_FALSE(at::allclose(got, exact, 1e-4, 1e-5)) << "nothing was rounded";
  std::vector<std::string> names;
  for (const NamedTensor& entry : model.State()) names.push_back(entry.name);
  EXPECT_THAT(names, testing::ElementsAre("first.bias", "first.weight_int8", "second.weight_int8"));
  EXPECT_EQ(model.State()[1].tensor.scalar_type(), at::kChar);
}

class WideLinear final : public LayeredModel {
 public:
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    return {odd_.Forward(linear_.Forward(inputs[0]))};
  }
  Linear linear_{*this, "linear", {.in = 32, .out = 20}};
  Linear odd_{*this, "odd", {.in = 20, .out = 3}};
};

TEST(LinearTest, Int8WeightsRoundsWeightsByTheirRowsWhereTheKernelCan) {
  WideLinear model;
  FillState(model);
  model.State()[0].tensor[0].mul_(100);  // one scale for all would lose the other rows
  model.To(at::kCPU, at::kBFloat16);
  const at::Tensor x = at::arange(2 * 3 * 32).mul(0.7).cos().view({2, 3, 32}).to(at::kBFloat16);
  const at::Tensor exact = model.linear_.Forward(x).to(at::kDouble);
  ASSERT_TRUE(model.Lower({lowerings::kInt8Weights}).ok());
  const at::Tensor got = model.linear_.Forward(x).to(at::kDouble);
  EXPECT_EQ(got.sizes(), exact.sizes());
  const at::Tensor of_outputs = (got - exact).abs().amax({0, 1}) / exact.abs().amax({0, 1});
  EXPECT_LT(of_outputs.max().item<double>(), 0.03);
  EXPECT_FALSE(got.equal(exact)) << "nothing was rounded";
  std::vector<std::string> names;
  for (const NamedTensor& entry : model.State()) names.push_back(entry.name);
  EXPECT_THAT(names, testing::ElementsAre("linear.bias", "linear.weight_int8",
                                          "linear.weight_scales", "odd.weight", "odd.bias"));
}

class JudgedLinear final : public LayeredModel {
 public:
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    return {last_.Forward(linear_.Forward(inputs[0]))};
  }
  Linear linear_{*this, "linear", {.in = 64, .out = 48}};
  Linear last_{*this, "last", {.in = 48, .out = 1}};  // no kernel but int8's takes it
};

struct JudgedKernel {
  std::string_view lowering;
  at::ScalarType dtype;
  size_t lowered;
};

class JudgedLinearTest : public testing::TestWithParam<JudgedKernel> {};

TEST_P(JudgedLinearTest, ErrorsAreThoseThatRoundingExplains) {
  const auto [lowering, dtype, lowered] = GetParam();
  const ScaledMmOnCpu kernel;
  JudgedLinear model;
  FillState(model);
  model.To(at::kCPU, dtype);
  JudgedLayers judged;
  ASSERT_TRUE(model.Lower({lowering, &judged}).ok());
  const at::Tensor x = at::arange(64).mul(0.7).cos().to(dtype);
  EXPECT_EQ(model.Forward({x})[0].sizes(), at::IntArrayRef({1})) << "no dimension of rows";
  ASSERT_EQ(judged.errors.size(), lowered);
  EXPECT_EQ(judged.errors[0].layer, "linear");
  for (const LayerError& error : judged.errors) {
    EXPECT_LE(error.rms, 1) << error.layer;
    EXPECT_LE(error.worst, 4) << error.layer;
  }
  EXPECT_GT(judged.errors[0].worst, 0);
  EXPECT_EQ(judged.kept.size(), 2 - lowered);
  EXPECT_EQ(model.Forward({x.new_empty({0, 64})})[0].sizes(), at::IntArrayRef({0, 1}));
}

INSTANTIATE_TEST_SUITE_P(Kernels, JudgedLinearTest,
                         testing::Values(JudgedKernel{lowerings::kInt8Dynamic, at::kFloat, 2},
                                         JudgedKernel{lowerings::kInt8Weights, at::kBFloat16, 2},
                                         JudgedKernel{lowerings::kInt4Weights, at::kHalf, 1},
                                         JudgedKernel{lowerings::kFp8Dynamic, at::kBFloat16, 1},
                                         JudgedKernel{lowerings::kMxfp8Dynamic, at::kBFloat16, 1},
                                         JudgedKernel{lowerings::kNvfp4Dynamic, at::kBFloat16, 1}),
                         [](const auto& info) { return std::string(info.param.lowering); });

TEST(LinearTest, AnErrorThatRoundingDoesNotExplainIsBeyondTheLimit) {
  JudgedLinear model;
  FillState(model);
  model.To(at::kCPU, at::kHalf);
  JudgedLayers judged;
  ASSERT_TRUE(model.Lower({lowerings::kInt4Weights, &judged}).ok());
  for (NamedTensor& entry : model.State()) {
    if (entry.name == "linear.weight_int4") entry.tensor.view({-1})[0].bitwise_xor_(1);
  }
  model.Forward({at::arange(64).mul(0.7).cos().view({1, 64}).to(at::kHalf)});
  EXPECT_GT(judged.errors.at(0).worst, 4) << "one weight is a step off";
}

class WholeTiles final : public LayeredModel {
 public:
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    return {linear_.Forward(inputs[0])};
  }
  Linear linear_{*this, "linear", {.in = 64, .out = 128, .bias = false}};
};

// A state in blocks may have these wrong: the two elements of a byte, the order of scales.
TEST(LinearTest, OperandsThatAreLaidOutWronglyAreBeyondTheLimit) {
  const ScaledMmOnCpu kernel;
  for (const std::string_view lowering : {lowerings::kMxfp8Dynamic, lowerings::kNvfp4Dynamic}) {
    for (const std::string wrong : {"weight_nvfp4", "weight_scales", "weight_scale", "nothing"}) {
      if (lowering == lowerings::kMxfp8Dynamic && wrong != "weight_scales") continue;
      JudgedLinear model;
      FillState(model);
      model.State()[0].tensor[5].mul_(8);  // so that scales differ
      model.To(at::kCPU, at::kBFloat16);
      JudgedLayers judged;
      ASSERT_TRUE(model.Lower({lowering, &judged}).ok());
      for (NamedTensor& entry : model.State()) {
        if (entry.name != "linear." + wrong) continue;
        if (wrong == "weight_nvfp4") {
          const at::Tensor swapped =
              entry.tensor.bitwise_right_shift(4) | entry.tensor.bitwise_left_shift(4);
          entry.tensor.copy_(swapped);
        } else if (wrong == "weight_scales") {
          entry.tensor.copy_(entry.tensor.view({-1, 32, 4, 4}).transpose(1, 2).flatten());
        } else {
          entry.tensor.mul_(1.1);
        }
      }
      model.Forward({at::arange(64).mul(0.7).cos().view({1, 64}).to(at::kBFloat16)});
      if (wrong == "nothing") {
        EXPECT_LE(judged.errors.at(0).worst, 4);
      } else {
        EXPECT_GT(judged.errors.at(0).worst, 4) << lowering << " " << wrong;
      }
    }
  }
}

TEST(LinearTest, ElementsOfFourBitsAreHalfAByteAndScalesAreCounted) {
  const ScaledMmOnCpu kernel;
  WholeTiles model;
  FillState(model);
  model.To(at::kCPU, at::kBFloat16);
  ASSERT_TRUE(model.Lower({lowerings::kNvfp4Dynamic}).ok());
  std::vector<size_t> bytes;
  for (const NamedTensor& entry : model.State()) bytes.push_back(entry.tensor.nbytes());
  EXPECT_THAT(bytes, testing::ElementsAre(128 * 64 / 2, 128 * 64 / 16, 4));
  EXPECT_EQ(model.State()[0].lowered_elements, 128 * 64);
}

TEST(LinearTest, LoweringsOfGpusAreRefusedOnTheCpu) {
  for (const std::string_view lowering : {lowerings::kMxfp8Dynamic, lowerings::kNvfp4Dynamic}) {
    JudgedLinear model;
    model.To(at::kCPU, at::kBFloat16);
    const absl::Status refused = model.Lower({lowering});
    EXPECT_EQ(refused.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_EQ(refused.message(),
              "its kernels need a GPU of compute capability 10.0 or above; the weights are on the "
              "CPU; --lowering=fp8_dynamic runs there");
  }
}

TEST(LinearTest, AModelWithoutSuchALayerSaysSo) {
  TwoLinears model;
  FillState(model);
  const absl::Status lowered = model.Lower({lowerings::kMergedBranches});
  EXPECT_EQ(lowered.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(lowered.message()),
              testing::HasSubstr("nothing that merged_branches changes"));
}

}  // namespace
}  // namespace assay::models
