#include "models/layers/core/static_int8.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/ivalue.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/quantize_per_channel.h>
#include <ATen/ops/quantize_per_tensor.h>
#include <ATen/ops/zeros.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "models/layers/core/operator_by_name.h"

namespace assay::models {
namespace {

constexpr float kSmallestStep = std::numeric_limits<float>::epsilon();
constexpr int64_t kLargestInteger = 255;

// A scale for each output channel, float32: its largest magnitude is 127.5 steps.
at::Tensor ChannelScales(const at::Tensor& weight) {
  constexpr double kHalfOfTheSteps = 127.5;
  return weight.flatten(1).abs().amax(1).div(kHalfOfTheSteps).clamp_min(kSmallestStep);
}

at::Tensor WithoutZero(const at::Tensor& quantized) {
  return quantized.int_repr().to(at::kDouble).sub_(quantized.q_zero_point());
}

at::Tensor InSteps(const at::Tensor& quantized, const Steps& on) {
  return WithoutZero(quantized).mul_(quantized.q_scale() / on.scale);
}

}  // namespace

void ValueRange::Add(const at::Tensor& values) {
  low = std::min(low, values.min().item<float>());
  high = std::max(high, values.max().item<float>());
}

Steps ValueRange::steps() const {
  constexpr float kSteps = 127;
  const float scale = std::max((high - low) / kSteps, kSmallestStep);
  return {scale, -static_cast<int64_t>(std::nearbyint(low / scale))};
}

LayerError ErrorOf(const at::Tensor& quantized, const EmulatedIntegers& truth) {
  // Some kernels add the zero before they round; some add the parts in float32 and multiply them by a
  // scale that is a quotient of float32 numbers.
  constexpr double kRoundings = 8, kFloat32 = 0x1p-24;
  LayerError error;
  error.integers = truth.values.numel();
  if (!quantized.is_quantized() || quantized.sizes() != truth.values.sizes() ||
      quantized.q_scale() != truth.on.scale || quantized.q_zero_point() != truth.on.zero) {
    error.wrong = error.integers;
    return error;
  }
  const at::Tensor wanted = truth.values.round().add_(truth.on.zero).clamp_(0, truth.highest);
  const at::Tensor away = quantized.int_repr().to(at::kDouble).sub_(wanted).abs_();
  const at::Tensor from_middle = truth.values.sub(truth.values.floor()).sub_(0.5).abs_();
  const at::Tensor unsure =
      from_middle.le(truth.parts.add(truth.on.zero).mul_(kRoundings * kFloat32));
  const at::Tensor explained = away.eq(1).logical_and_(unsure);
  error.at_ties = explained.sum().item<int64_t>();
  error.wrong = away.ne(0).sum().item<int64_t>() - error.at_ties;
  return error;
}

LayerError ErrorOfWeight(const WeightAndBias& kept, const WeightAndBias& truth) {
  // The weight was rounded to float32 and divided by a float32 scale, which is a quotient itself.
  constexpr double kFloat32 = 0x1p-24, kRoundings = 4, kHalfOfTheSteps = 127.5, kNoise = 1e-12;
  const at::Tensor weight = truth.weight.to(at::kDouble).flatten(1);
  LayerError error;
  error.integers = weight.numel() + (truth.bias.defined() ? truth.bias.numel() : 0);
  if (kept.weight.sizes() != truth.weight.sizes() || kept.bias.defined() != truth.bias.defined()) {
    error.wrong = error.integers;
    return error;
  }
  const at::Tensor scales = weight.abs()
                                .amax(at::IntArrayRef({1}), /*keepdim=*/true)
                                .div_(kHalfOfTheSteps)
                                .clamp_min_(kSmallestStep);
  const at::Tensor own = kept.weight.q_per_channel_scales().view({-1, 1});
  const at::Tensor scaled = own.sub(scales).abs_().le(scales * (kRoundings * kFloat32));
  const at::Tensor steps = weight.div(scales).clamp_(-128, 127);
  const at::Tensor integers = kept.weight.int_repr().flatten(1).to(at::kDouble);
  const at::Tensor nearest =
      integers.sub(steps).abs_().le(steps.abs().mul_(kRoundings * kFloat32).add_(0.5));
  const at::Tensor right = nearest.logical_and(scaled);
  error.at_ties = integers.ne(steps.round()).logical_and_(right).sum().item<int64_t>();
  error.wrong = right.logical_not().sum().item<int64_t>();
  if (truth.bias.defined()) {
    const at::Tensor bias = truth.bias.to(at::kDouble);
    const at::Tensor away = kept.bias.to(at::kDouble).sub_(bias).abs_();
    const at::Tensor rounded = bias.abs().mul_(kFloat32).add_(bias.abs().amax() * kNoise);
    error.wrong += away.le(rounded).logical_not().sum().item<int64_t>();
  }
  return error;
}

StaticInt8::StaticInt8(const Lowering& lowering, std::string layer)
    : layer_(std::move(layer)), judged_(lowering.judged) {}

void StaticInt8::Watch(const at::Tensor& input, const at::Tensor& result) {
  input_.Add(input);
  result_.Add(result);
  watched_ = true;
}

Steps StaticInt8::WatchedSteps() const {
  TORCH_CHECK(watched_, "int8_static: the call that calibrates did not reach the layer ", layer_);
  return result_.steps();
}

at::Tensor StaticInt8::Multiply(const Product& product, const WeightAndBias& truth) {
  const Steps on = WatchedSteps();
  const at::Tensor weight = product.weight.to(at::kFloat);
  const at::Tensor scales = ChannelScales(weight).to(at::kDouble);
  const at::Tensor rounded = at::quantize_per_channel(
      weight, scales, at::zeros({weight.size(0)}, at::kLong), /*axis=*/0, at::kQInt8);
  const at::Tensor bias = product.bias.defined() ? product.bias.to(at::kFloat) : at::Tensor();
  const c10::IValue of_bias = bias.defined() ? c10::IValue(bias) : c10::IValue();
  const Conv2d::Way way =
      product.convolution != nullptr ? product.convolution->way() : Conv2d::Way();
  const bool convolves = product.convolution != nullptr;
  const bool rectifies = product.activation == Activation::kRelu;
  const bool cuts = product.activation == Activation::kRelu6;
  const c10::IValue packed =
      convolves ? CallByName("quantized::conv2d_prepack", "",
                             {rounded, of_bias, way.stride, way.padding, way.dilation, way.groups})
                : CallByName("quantized::linear_prepack", "", {rounded, of_bias});
  const char* const name = !convolves  ? "quantized::linear"
                           : rectifies ? "quantized::conv2d_relu"
                                       : "quantized::conv2d";
  const char* const overload = convolves ? "new" : "";
  kernel_ = [=](const at::Tensor& x, const at::Tensor& /*other*/) {
    at::Tensor y = CallByName(name, overload, {x, packed, on.scale, on.zero}).toTensor();
    return cuts ? Activate(Activation::kRelu6, std::move(y)) : y;
  };
  if (judged_ != nullptr) {
    judged_->weights.push_back(ErrorOfWeight({rounded, bias}, truth));
    judged_->weights.back().layer = layer_;
  }
  const at::Tensor integers = rounded.int_repr();
  emulated_ = [=](const at::Tensor& x, const at::Tensor& /*other*/) {
    const at::Tensor w = integers.to(at::kDouble), q = WithoutZero(x);
    std::vector<int64_t> channels(q.dim(), 1);
    channels[convolves ? 1 : q.dim() - 1] = -1;
    const at::Tensor multiplied =
        (convolves ? at::conv2d(q, w, {}, way.stride, way.padding, way.dilation, way.groups)
                   : at::linear(q, w))
            .mul_(scales.mul(x.q_scale() / on.scale).view(channels));
    const at::Tensor added = bias.defined() ? bias.to(at::kDouble).div_(on.scale).view(channels)
                                            : at::zeros({1}, w.options());
    EmulatedIntegers truth = {
        .values = multiplied + added, .parts = multiplied.abs() + added.abs(), .on = on};
    if (cuts) {
      truth.highest =
          std::min(kLargestInteger, on.zero + static_cast<int64_t>(std::nearbyint(6 / on.scale)));
    }
    return truth;
  };
  return integers;
}

void StaticInt8::Add(Activation activation) {
  const Steps on = WatchedSteps();
  const bool rectifies = activation == Activation::kRelu;
  const char* const name = rectifies ? "quantized::add_relu" : "quantized::add";
  kernel_ = [=](const at::Tensor& x, const at::Tensor& other) {
    return CallByName(name, "", {x, other, on.scale, on.zero}).toTensor();
  };
  emulated_ = [=](const at::Tensor& x, const at::Tensor& other) {
    const at::Tensor a = InSteps(x, on), b = InSteps(other, on);
    // The kernel adds a value's share and its zero's share in float32.
    const double zeros = (static_cast<double>(x.q_zero_point()) * x.q_scale() +
                          static_cast<double>(other.q_zero_point()) * other.q_scale()) /
                         on.scale;
    return EmulatedIntegers{.values = a + b, .parts = a.abs() + b.abs() + zeros, .on = on};
  };
}

void StaticInt8::Average() {
  kernel_ = [](const at::Tensor& x, const at::Tensor& /*other*/) {
    return at::adaptive_avg_pool2d(x, {1, 1}).flatten(1);
  };
  emulated_ = [](const at::Tensor& x, const at::Tensor& /*other*/) {
    const at::Tensor mean = WithoutZero(x).mean(at::IntArrayRef({2, 3}));
    return EmulatedIntegers{
        .values = mean, .parts = mean.abs(), .on = {x.q_scale(), x.q_zero_point()}};
  };
}

at::Tensor StaticInt8::Quantized(const at::Tensor& x) const {
  if (x.is_quantized()) return x;
  const Steps on = input_.steps();
  at::Tensor quantized = at::quantize_per_tensor(x, on.scale, on.zero, at::kQUInt8);
  if (judged_ != nullptr) {
    const at::Tensor values = JudgedRows(x).to(at::kDouble).div_(on.scale);
    Judge(JudgedRows(quantized), {.values = values, .parts = values.abs(), .on = on}, "'s input");
  }
  return quantized;
}

at::Tensor StaticInt8::Call(const at::Tensor& x, const at::Tensor& other) const {
  const at::Tensor quantized = Quantized(x);
  at::Tensor result = kernel_(quantized, other);
  if (judged_ != nullptr)
    Judge(JudgedRows(result), emulated_(JudgedRows(quantized), JudgedRows(other)), "");
  return result;
}

at::Tensor StaticInt8::JudgedRows(const at::Tensor& x) const {
  return x.defined() && judged_->rows > 0 ? x.narrow(0, 0, std::min(judged_->rows, x.size(0))) : x;
}

void StaticInt8::Judge(const at::Tensor& quantized, const EmulatedIntegers& truth,
                       const char* part) const {
  judged_->errors.push_back(ErrorOf(quantized, truth));
  judged_->errors.back().layer = absl::StrCat(layer_, part);
}

}  // namespace assay::models
