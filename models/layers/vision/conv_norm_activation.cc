#include "models/layers/vision/conv_norm_activation.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace assay::models {

ConvNormNames NamesInSequence(const std::string& name) { return {name + ".0", name + ".1"}; }

namespace {

bool BySize(const ConvNormActivationOptions& options) {
  return options.by_size && options.stride > 1;
}

}  // namespace

ChannelNorm::ChannelNorm(Layer& parent, const std::string& name, const BatchNorm2dOptions& options,
                         int64_t groups) {
  if (groups > 0) {
    group_.emplace(
        parent, name,
        GroupNormOptions{.groups = groups, .channels = options.channels, .gain = options.gain});
  } else {
    batch_.emplace(parent, name, options);
  }
}

ConvNormActivation::ConvNormActivation(Layer& parent, const ConvNormNames& names,
                                       const ConvNormActivationOptions& options)
    : Layer(parent, ""),
      conv_name_(names.conv),
      activation_(options.activation),
      by_size_(BySize(options)),
      merges_(options.norm_groups == 0 && !options.bias),
      kernel_(options.kernel.height),
      stride_(options.stride) {
  conv_.emplace(
      *this, names.conv,
      Conv2dOptions{.in = options.in,
                    .out = options.out,
                    .kernel = options.kernel,
                    .stride = options.stride,
                    .padding = options.padded && !BySize(options)
                                   ? Extent(options.dilation * (options.kernel.height - 1) / 2,
                                            options.dilation * (options.kernel.width - 1) / 2)
                                   : Extent(0),
                    .dilation = options.dilation,
                    .groups = options.groups,
                    .bias = options.bias,
                    .gain = options.gain});
  norm_.emplace(*this, names.norm,
                BatchNorm2dOptions{.channels = options.out,
                                   .eps = options.eps,
                                   .momentum = options.momentum,
                                   .gain = options.norm_gain,
                                   .frozen = options.frozen},
                options.norm_groups);
}

at::Tensor ConvNormActivation::Forward(at::Tensor x) {
  if (int8_ && int8_->lowered()) return int8_->Call(x);
  at::Tensor y = conv_->Forward(by_size_ ? PaddedBySize(x, kernel_, stride_) : x);
  if (!int8_) x.reset();  // its memory serves the norm
  y = Activate(activation_, norm_->Forward(y));
  if (int8_) int8_->Watch(x, y);
  return y;
}

ConvNormActivation::Merged ConvNormActivation::AsOneConvolution() const {
  const BatchNorm2d::Affine norm = norm_->AsAffine();
  return {conv_->weight().to(at::kDouble).mul(norm.scale.view({-1, 1, 1, 1})), norm.shift};
}

std::string ConvNormActivation::LayerName(const Lowering& lowering) const {
  return absl::StrCat(lowering.layer, lowering.layer.empty() ? "" : ".", conv_name_);
}

// As AsOneConvolution(), but by what the norm itself makes of 0 and 1: for a judge of that.
WeightAndBias ConvNormActivation::InFloat64() {
  MoveTo(at::kCPU, at::kDouble);
  const std::vector<int64_t> shape = {1, conv_->weight().size(0), 1, 1};
  const at::Tensor shift = norm_->Forward(at::zeros(shape, at::kDouble));
  const at::Tensor scale = norm_->Forward(at::ones(shape, at::kDouble)) - shift;
  return {conv_->weight() * scale.view({-1, 1, 1, 1}), shift.flatten()};
}

absl::StatusOr<bool> ConvNormActivation::LowerSelf(const Lowering& lowering) {
  if (lowering.name != lowerings::kInt8Static) return false;
  if (!merges_ || by_size_ ||
      (activation_ != Activation::kNone && activation_ != Activation::kRelu &&
       activation_ != Activation::kRelu6)) {
    return absl::UnimplementedError(
        absl::StrCat(LayerName(lowering),
                     " is no convolution without bias and padding by size, with a batch norm and "
                     "none, ReLU or ReLU6"));
  }
  if (lowering.watches) {
    int8_ = std::make_unique<StaticInt8>(lowering, LayerName(lowering));
    return true;
  }
  const auto [kernel, bias] = AsOneConvolution();
  weight_int8_ = int8_->Multiply(
      {.weight = kernel, .bias = bias, .convolution = &*conv_, .activation = activation_},
      int8_->judges() ? InFloat64() : WeightAndBias());
  RemoveChildren();
  conv_.reset();
  norm_.reset();
  AddLoweredWeight(conv_name_ + ".weight_int8", weight_int8_, weight_int8_.numel(), weight_int8_);
  return true;
}

}  // namespace assay::models
