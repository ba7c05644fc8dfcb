#include "models/layers/vision/conv_norm_activation.h"

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

at::Tensor ConvNormActivation::Forward(const at::Tensor& x) {
  if (int8_ && int8_->lowered()) return int8_->Call(x);
  at::Tensor y = conv_->Forward(by_size_ ? PaddedBySize(x, kernel_, stride_) : x);
  y = Activate(activation_, norm_->Forward(y));
  if (int8_) int8_->Watch(x, y);
  return y;
}

ConvNormActivation::Merged ConvNormActivation::AsOneConvolution() const {
  const BatchNorm2d::Affine norm = norm_->AsAffine();
  return {conv_->weight().to(at::kDouble).mul(norm.scale.view({-1, 1, 1, 1})), norm.shift};
}

absl::StatusOr<bool> ConvNormActivation::LowerSelf(const Lowering& lowering) {
  if (lowering.name != lowerings::kInt8Static) return false;
  if (lowering.watches) {
    int8_ = std::make_unique<StaticInt8>(
        lowering, absl::StrCat(lowering.layer, lowering.layer.empty() ? "" : ".", conv_name_));
    return true;
  }
  const auto [kernel, bias] = AsOneConvolution();
  weight_int8_ = int8_->Multiply(
      {.weight = kernel, .bias = bias, .convolution = &*conv_, .activation = activation_});
  RemoveChildren();
  conv_.reset();
  norm_.reset();
  AddLoweredWeight(conv_name_ + ".weight_int8", weight_int8_, weight_int8_.numel(), weight_int8_);
  return true;
}

}  // namespace assay::models
