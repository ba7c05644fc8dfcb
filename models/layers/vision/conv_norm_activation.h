#ifndef ASSAY_MODELS_LAYERS_VISION_CONV_NORM_ACTIVATION_H_
#define ASSAY_MODELS_LAYERS_VISION_CONV_NORM_ACTIVATION_H_

// ---------------------------------------------------------------------------------------------
// models/layers/vision/conv_norm_activation.h: a convolution with its norm and activation, the unit of
// convolutional networks.
//
//     x ── convolution without bias ── batch norm ── activation ──
//
// Two layers of the parent under two names of its choice, because families call them "0" and "1",
// "conv" and "bn", or number them among others. By default the padding keeps the image's size, as
// that of torchvision.ops.Conv2dNormActivation does.
//
// With the lowering int8_static the three are one layer (static_int8.h), and its tensors have the name of
// the convolution.
//
// Not for: norms before the convolution (densenet), convolutions without a norm.
//
// Example:
//
//     ConvNormActivation stem{*this, NamesInSequence("features.0"),   // features.0.0, features.0.1
//                             {.in = 3, .out = 32, .kernel = 3, .stride = 2}};
//     ConvNormActivation branch{*this, {"branch1.conv", "branch1.bn"}, {.in = 64, .out = 32}};
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "defs/case/lowerings.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/batch_norm2d.h"
#include "models/layers/core/conv2d.h"
#include "models/layers/core/group_norm.h"
#include "models/layers/core/layer.h"
#include "models/layers/core/static_int8.h"
#include "models/layers/vision/padding_by_size.h"

namespace assay::models {

struct ConvNormNames {
  std::string conv;
  std::string norm;
};

// The names of the two in a torch.nn.Sequential called `name`.
ConvNormNames NamesInSequence(const std::string& name);

struct ConvNormActivationOptions {
  int64_t in;
  int64_t out;
  Extent kernel = 1;
  int64_t stride = 1;
  bool padded = true;    // by half of the kernel's reach on each side; false: not at all
  bool by_size = false;  // with a stride: padded as TensorFlow does; the kernel is square
  int64_t dilation = 1;
  int64_t groups = 1;
  bool bias = false;
  Activation activation = Activation::kRelu;
  double eps = 1e-5;
  double momentum = 0.1;
  double gain = 1;          // factor on the recipe of the convolution's weight
  double norm_gain = 1;     // factor on the recipe of the norm's scale
  bool frozen = false;      // as of BatchNorm2d
  int64_t norm_groups = 0;  // of channels, by which the norm is a GroupNorm; 0: a BatchNorm2d
};

// A norm of either kind.
class ChannelNorm final {
 public:
  ChannelNorm(Layer& parent, const std::string& name, const BatchNorm2dOptions& options,
              int64_t groups);
  at::Tensor Forward(const at::Tensor& x) {
    return group_ ? group_->Forward(x) : batch_->Forward(x);
  }
  BatchNorm2d::Affine AsAffine() const { return batch_->AsAffine(); }  // of a BatchNorm2d

 private:
  std::optional<BatchNorm2d> batch_;
  std::optional<GroupNorm> group_;
};

class ConvNormActivation final : public Layer {
 public:
  ConvNormActivation(Layer& parent, const ConvNormNames& names,
                     const ConvNormActivationOptions& options);

  at::Tensor Forward(at::Tensor x);

  // The convolution, which has no bias, with its norm, without the activation, as one: kernel (out, in / groups, height,
  // width) and bias (out), in float64.
  struct Merged {
    at::Tensor kernel, bias;
  };
  at::ScalarType dtype() const { return conv_->weight().scalar_type(); }
  Merged AsOneConvolution() const;

 private:
  absl::StatusOr<bool> LowerSelf(const Lowering& lowering) override;
  std::string LayerName(const Lowering& lowering) const;
  WeightAndBias InFloat64();

  std::string conv_name_;
  std::optional<Conv2d> conv_;  // both null once lowered
  std::optional<ChannelNorm> norm_;
  std::unique_ptr<StaticInt8> int8_;  // null: not lowered
  at::Tensor weight_int8_;
  Activation activation_;
  bool by_size_;
  bool merges_;              // AsOneConvolution() is right
  int64_t kernel_, stride_;  // where it pads by size
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_VISION_CONV_NORM_ACTIVATION_H_
