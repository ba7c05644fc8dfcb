#include "models/layers/core/static_int8.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/quantize_per_channel.h>
#include <ATen/ops/quantize_per_tensor.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <c10/util/Exception.h>

#include <cmath>
#include <string>
#include <vector>

#include "defs/case/lowerings.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/layered_model.h"

namespace assay::models {
namespace {

// Different numbers between -amplitude and amplitude.
at::Tensor Swings(at::IntArrayRef shape, double step, double amplitude = 1) {
  int64_t count = 1;
  for (const int64_t size : shape) count *= size;
  return at::arange(count).to(at::kDouble).mul(step).sin().mul(amplitude).view(shape);
}

struct Seen {
  float low, high;
  double scale;
  int64_t zero;
};

// As torch.ao.quantization.MinMaxObserver(reduce_range=True) of torch 2.11 says.
TEST(ValueRange, StepsAreThoseOfTorchAo) {
  for (const Seen& seen :
       {Seen{0, 6, 0x1.83060cp-5, 0}, Seen{-1.5, 2.25, 0x1.e3c79p-6, 51},
        Seen{-3, -1, 0x1.83060cp-6, 127}, Seen{0.5, 2, 0x1.020408p-6, 0}, Seen{0, 0, 0x1p-23, 0},
        Seen{-10, 0.001F, 0x1.428d4cp-4, 127}, Seen{-0.7F, 1.1F, 0x1.d06da8p-7, 49}}) {
    ValueRange range;
    range.Add(at::tensor({seen.low, seen.high}));
    EXPECT_EQ(range.steps().scale, seen.scale) << seen.low << " to " << seen.high;
    EXPECT_EQ(range.steps().zero, seen.zero) << seen.low << " to " << seen.high;
  }
}

TEST(ValueRange, IsThatOfAllValues) {
  ValueRange range;
  for (const double value : {-2.0, 1.0, 4.0, -1.0}) range.Add(at::tensor({value}));
  EXPECT_EQ(range.low, -2);
  EXPECT_EQ(range.high, 4);
}

EmulatedIntegers Truth(std::vector<double> values) {
  const at::Tensor steps = at::tensor(values, at::kDouble);
  return {.values = steps, .parts = steps.abs(), .on = {.scale = 0.5, .zero = 10}};
}

// The integers, with the zero, on Truth()'s steps.
at::Tensor On(std::vector<double> integers, double scale = 0.5, int64_t zero = 10) {
  const at::Tensor values =
      at::tensor(integers, at::kDouble).sub(static_cast<double>(zero)).mul(scale);
  return at::quantize_per_tensor(values.to(at::kFloat), scale, zero, at::kQUInt8);
}

TEST(ErrorOf, IntegersAreThoseToWhichFloat64Rounds) {
  const LayerError right = ErrorOf(On({13, 5, 0, 255}), Truth({3.4, -5.4, -20.3, 300.2}));
  EXPECT_EQ(right.integers, 4);
  EXPECT_EQ(right.wrong, 0);
  EXPECT_EQ(right.at_ties, 0);
  EXPECT_EQ(ErrorOf(On({14, 5, 0, 254}), Truth({3.4, -5.4, -20.3, 300.2})).wrong, 2);
}

TEST(ErrorOf, OnlyATieMayBeRoundedEitherWay) {
  const EmulatedIntegers ties = Truth({2.5, 3.5000001, 2.501, 2.499});
  EXPECT_EQ(ErrorOf(On({12, 14, 13, 12}), ties).at_ties, 0);
  const LayerError other = ErrorOf(On({13, 13, 12, 13}), ties);
  EXPECT_EQ(other.at_ties, 2);
  EXPECT_EQ(other.wrong, 2);
  EXPECT_EQ(ErrorOf(On({14, 14, 13, 12}), ties).wrong, 1) << "two steps away";
}

TEST(ErrorOf, WhatIsAddedUpWidensATie) {
  EmulatedIntegers sum = Truth({2.50001});
  EXPECT_EQ(ErrorOf(On({12}), sum).wrong, 1);
  sum.parts.fill_(30);
  EXPECT_EQ(ErrorOf(On({12}), sum).at_ties, 1);
}

TEST(ErrorOf, TheZeroWidensATie) {
  EmulatedIntegers sum = Truth({2.50003});
  sum.on.zero = 100;
  EXPECT_EQ(ErrorOf(On({102}, 0.5, 100), sum).at_ties, 1);
}

TEST(ErrorOf, TheHighestIntegerCuts) {
  EmulatedIntegers truth = Truth({-30, 7});
  truth.highest = 15;
  EXPECT_EQ(ErrorOf(On({0, 15}), truth).wrong, 0);
  EXPECT_EQ(ErrorOf(On({1, 17}), truth).wrong, 2);
}

TEST(ErrorOf, OtherStepsAreWrongEverywhere) {
  const EmulatedIntegers truth = Truth({3, -5});
  EXPECT_EQ(ErrorOf(On({13, 5}), truth).wrong, 0);
  EXPECT_EQ(ErrorOf(On({13, 5}, 0.5, 11), truth).wrong, 2) << "another zero";
  EXPECT_EQ(ErrorOf(On({13, 5}, 0.25), truth).wrong, 2) << "another scale";
  EXPECT_EQ(ErrorOf(On({13}), truth).wrong, 2) << "another shape";
  EXPECT_EQ(ErrorOf(On({13, 5}).dequantize(), truth).wrong, 2) << "no rounding at all";
}

// A convolution's weight and bias behind the division by `deviations` of its norm.
class ErrorOfWeightTest : public testing::Test {
 protected:
  static at::Tensor Rounded(const at::Tensor& weight, const at::Tensor& scales) {
    return at::quantize_per_channel(weight.to(at::kFloat), scales.to(at::kDouble),
                                    at::zeros({weight.size(0)}, at::kLong), 0, at::kQInt8);
  }
  static at::Tensor ScalesOf(const at::Tensor& weight) {
    return weight.to(at::kFloat).flatten(1).abs().amax(1).div(127.5);
  }

  const at::Tensor weight_ = Swings({4, 3, 3, 3}, 0.37, 1.6) *
                             at::arange(1, 5).to(at::kDouble).view({4, 1, 1, 1}),
                   bias_ = Swings({4}, 1.3, 3), scales_ = ScalesOf(weight_),
                   rounded_ = Rounded(weight_, scales_);
};

TEST_F(ErrorOfWeightTest, TheNearestIntegersAreRight) {
  const LayerError error = ErrorOfWeight({rounded_, bias_.to(at::kFloat)}, {weight_, bias_});
  EXPECT_EQ(error.integers, 4 * 27 + 4);
  EXPECT_EQ(error.wrong, 0);
  EXPECT_EQ(ErrorOfWeight({rounded_, {}}, {weight_, {}}).integers, 4 * 27);
  EXPECT_EQ(ErrorOfWeight({rounded_, {}}, {weight_, bias_}).wrong, 4 * 27 + 4) << "no bias";
}

TEST_F(ErrorOfWeightTest, OneScaleForTheTensorIsWrong) {
  const at::Tensor rounded = Rounded(weight_, scales_.max().expand({4}));
  EXPECT_EQ(ErrorOfWeight({rounded, {}}, {weight_, {}}).wrong, 3 * 27);
}

TEST_F(ErrorOfWeightTest, ATruncatedWeightIsWrong) {
  const at::Tensor steps = scales_.view({-1, 1, 1, 1}), cut = weight_.div(steps).trunc().mul(steps);
  EXPECT_GT(ErrorOfWeight({Rounded(cut, scales_), {}}, {weight_, {}}).wrong, 27);
}

TEST_F(ErrorOfWeightTest, AWrongEpsilonIsWrong) {
  const at::Tensor other = weight_ * std::sqrt((1 + 1e-5) / (1 + 2e-5));
  EXPECT_EQ(ErrorOfWeight({Rounded(other, ScalesOf(other)), {}}, {weight_, {}}).wrong, 4 * 27);
}

TEST_F(ErrorOfWeightTest, TheBiasIsTheNearestFloat) {
  const at::Tensor bias = bias_.to(at::kFloat);
  bias[2] = bias[2] * (1 + 0x1p-23F);
  EXPECT_EQ(ErrorOfWeight({rounded_, bias}, {weight_, bias_}).wrong, 1);
}

// Layers that watch one call, and are judged.
class StaticInt8Test : public testing::Test {
 protected:
  StaticInt8Test() : int8_({.name = lowerings::kInt8Static, .judged = &judged_}, "one") {}

  // The calls so far were right, and their integers are so many.
  void ExpectRight(std::vector<std::string> layers, std::vector<int64_t> integers) {
    std::vector<std::string> called;
    std::vector<int64_t> counted;
    for (const LayerError& error : judged_.errors) {
      called.push_back(error.layer);
      counted.push_back(error.integers);
      EXPECT_EQ(error.wrong, 0) << error.layer;
    }
    for (const LayerError& error : judged_.weights) EXPECT_EQ(error.wrong, 0) << error.layer;
    EXPECT_EQ(called, layers);
    EXPECT_EQ(counted, integers);
  }

  JudgedLayers judged_;
  StaticInt8 int8_;
};

// Its values on the steps of torch.ao's observers.
at::Tensor OnSteps(const at::Tensor& x, const ValueRange& range, double largest = 255) {
  const Steps on = range.steps();
  return x.div(on.scale).round().add(on.zero).clamp(0, largest).sub(on.zero).mul(on.scale);
}

at::Tensor RoundedChannels(const at::Tensor& weight) {
  const at::Tensor scales = weight.to(at::kFloat).flatten(1).abs().amax(1).div(127.5);
  return at::quantize_per_channel(weight.to(at::kFloat), scales.to(at::kDouble),
                                  at::zeros({weight.size(0)}, at::kLong), 0, at::kQInt8)
      .dequantize()
      .to(at::kDouble);
}

ValueRange RangeOf(const at::Tensor& x) {
  ValueRange range;
  range.Add(x);
  return range;
}

void ExpectWithin(double limit, const at::Tensor& got, const at::Tensor& wanted) {
  EXPECT_LE((got.to(at::kDouble) - wanted).abs().max().item<double>(), limit);
}

class ConvolutionTest : public StaticInt8Test, public testing::WithParamInterface<Activation> {};

class OneConv final : public LayeredModel {
 public:
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> /*inputs*/) override { return {}; }
  Conv2d conv_{*this,
               "conv",
               {.in = 4, .out = 6, .kernel = {3, 5}, .stride = 2, .padding = {1, 2}, .groups = 2}};
};

TEST_P(ConvolutionTest, IsThatOfTheRoundedValues) {
  // Beside one large element of a channel the others are small, so that pairs of products fit 16 bits even
  // with the integers beyond 127 below: 175 (127 + 51) < 2^15.
  const at::Tensor x = Swings({2, 4, 9, 9}, 0.7, 2).add(0.5),
                   weight = Swings({6, 2, 3, 5}, 0.37, 1.6);
  weight.flatten(1).select(1, 7).fill_(4);
  const at::Tensor bias = Swings({6}, 1.3, 3);
  const auto convolve = [&](const at::Tensor& input, const at::Tensor& kernel) {
    at::Tensor y = at::conv2d(input, kernel, bias, {2, 2}, {1, 2}, {1, 1}, 2);
    return Activate(GetParam(), y);
  };
  const at::Tensor y = convolve(x, weight);
  int8_.Watch(x, y);
  EXPECT_FALSE(int8_.lowered());
  const OneConv model;
  const at::Tensor integers = int8_.Multiply(
      {.weight = weight, .bias = bias, .convolution = &model.conv_, .activation = GetParam()},
      {weight, bias});
  EXPECT_TRUE(int8_.lowered());
  EXPECT_EQ(integers.scalar_type(), at::kChar);
  EXPECT_EQ(integers.sizes(), weight.sizes());
  EXPECT_EQ(integers.abs().flatten(1).amax(1).min().item<int64_t>(), 127) << "of each channel";

  const at::Tensor got = int8_.Call(x.to(at::kFloat));
  const ValueRange in = RangeOf(x), out = RangeOf(y);
  const double step = out.steps().scale;
  EXPECT_EQ(got.q_scale(), step);
  EXPECT_EQ(got.q_zero_point(), out.steps().zero);
  ExpectWithin(1e-5, got.dequantize(),
               OnSteps(convolve(OnSteps(x, in), RoundedChannels(weight)), out));
  ExpectWithin(8 * step, got.dequantize(), y);
  ExpectRight({"one's input", "one"}, {x.numel(), y.numel()});

  // Beyond what was watched the same steps go on, but for what the activation cuts.
  const at::Tensor wider = int8_.Call(x.mul(1.6).to(at::kFloat)).dequantize();
  const double high = GetParam() == Activation::kRelu6 ? 6 : 1.2 * out.high;
  if (GetParam() == Activation::kRelu6) {
    EXPECT_NEAR(wider.max().item<double>(), high, step);
  } else {
    EXPECT_GT(wider.max().item<double>(), high);
  }
  ExpectRight({"one's input", "one", "one's input", "one"},
              {x.numel(), y.numel(), x.numel(), y.numel()});
}

INSTANTIATE_TEST_SUITE_P(Activations, ConvolutionTest,
                         testing::Values(Activation::kNone, Activation::kRelu, Activation::kRelu6));

TEST_F(StaticInt8Test, ALinearLayerTakesRowsOfAnyNumberOfDimensions) {
  const at::Tensor x = Swings({2, 5, 8}, 0.7), weight = Swings({3, 8}, 0.37);
  const at::Tensor y = at::linear(x, weight);
  int8_.Watch(x, y);
  int8_.Multiply({.weight = weight}, {weight});
  const at::Tensor got = int8_.Call(x.to(at::kFloat)).dequantize();
  ExpectWithin(1e-5, got,
               OnSteps(at::linear(OnSteps(x, RangeOf(x)), RoundedChannels(weight)), RangeOf(y)));
  ExpectRight({"one's input", "one"}, {x.numel(), y.numel()});
}

TEST_F(StaticInt8Test, ALinearLayerHasABias) {
  const at::Tensor x = Swings({4, 8}, 0.7), weight = Swings({3, 8}, 0.37),
                   bias = Swings({3}, 1.1, 5);
  const at::Tensor y = at::linear(x, weight, bias);
  int8_.Watch(x, y);
  int8_.Multiply({.weight = weight, .bias = bias}, {weight, bias});
  ExpectWithin(4 * RangeOf(y).steps().scale, int8_.Call(x.to(at::kFloat)).dequantize(), y);
  ExpectRight({"one's input", "one"}, {x.numel(), y.numel()});
}

at::Tensor Quantized(const at::Tensor& x) {
  const Steps on = RangeOf(x).steps();
  return at::quantize_per_tensor(x.to(at::kFloat), on.scale, on.zero, at::kQUInt8);
}

TEST_F(StaticInt8Test, ASumIsThatOfTheRoundedValues) {
  const at::Tensor a = Swings({2, 3, 4, 4}, 0.7, 3), b = Swings({2, 3, 4, 4}, 0.31).add(0.8);
  for (const Activation activation : {Activation::kNone, Activation::kRelu}) {
    judged_.errors.clear();
    StaticInt8 sum({.name = lowerings::kInt8Static, .judged = &judged_}, "sum");
    const at::Tensor y = Activate(activation, a + b);
    sum.Watch(a, y);
    sum.Add(activation);
    const at::Tensor got = sum.Call(Quantized(a), Quantized(b));
    const at::Tensor wanted = Activate(activation, OnSteps(a, RangeOf(a)) + OnSteps(b, RangeOf(b)));
    ExpectWithin(1e-5, got.dequantize(), OnSteps(wanted, RangeOf(y)));
    ExpectRight({"sum"}, {y.numel()});
    sum.Call(Quantized(a.mul(1.7)), Quantized(b));
    ExpectRight({"sum", "sum"}, {y.numel(), y.numel()});
  }
}

TEST_F(StaticInt8Test, AMeanHasTheStepsOfItsInput) {
  const at::Tensor x = Swings({2, 3, 5, 5}, 0.7, 3).add(0.7);
  int8_.Average();
  const at::Tensor quantized = Quantized(x), got = int8_.Call(quantized);
  EXPECT_EQ(got.sizes(), at::IntArrayRef({2, 3}));
  EXPECT_EQ(got.q_scale(), quantized.q_scale());
  EXPECT_EQ(got.q_zero_point(), quantized.q_zero_point());
  ExpectWithin(0.51 * got.q_scale(), got.dequantize(), quantized.dequantize().mean({2, 3}));
  ExpectRight({"one"}, {6});
}

TEST_F(StaticInt8Test, OnlyTheRowsThatHaveCalibratedAreJudged) {
  judged_.rows = 2;
  const at::Tensor x = Swings({5, 8}, 0.7), weight = Swings({3, 8}, 0.37);
  int8_.Watch(x, at::linear(x, weight));
  int8_.Multiply({.weight = weight}, {weight});
  EXPECT_EQ(int8_.Call(x.to(at::kFloat)).size(0), 5);
  ExpectRight({"one's input", "one"}, {2 * 8, 2 * 3});
  EXPECT_EQ(judged_.weights.size(), 1);
}

TEST_F(StaticInt8Test, ALayerThatTheCallDidNotReachIsRefused) {
  const at::Tensor weight = Swings({3, 8}, 0.37);
  EXPECT_THROW(int8_.Multiply({.weight = weight}, {weight}), c10::Error);
  EXPECT_THROW(int8_.Add(Activation::kNone), c10::Error);
}

TEST_F(StaticInt8Test, NobodyMayJudge) {
  StaticInt8 mean({.name = lowerings::kInt8Static}, "one");
  mean.Average();
  EXPECT_TRUE(mean.Call(Swings({1, 2, 3, 3}, 0.7).to(at::kFloat)).is_quantized());
}

}  // namespace
}  // namespace assay::models
