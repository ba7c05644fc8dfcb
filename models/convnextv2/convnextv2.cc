// ConvNeXt V2 as timm builds its smaller sizes (timm/models/convnext.py, with linear layers as 1x1
// convolutions). Tensor names, order and shapes are timm's, so its checkpoints fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/addcmul.h>
#include <ATen/ops/linalg_vector_norm.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/conv2d.h"
#include "models/layers/core/recipes.h"
#include "models/layers/vision/convnext_body.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

// Global response normalization: x and, scaled and shifted, x times each channel's norm over the
// image, the norms divided by their mean.
class ResponseNorm final : public Layer {
 public:
  ResponseNorm(Layer& parent, std::string name, int64_t channels) : Layer(parent, std::move(name)) {
    AddParameter("weight", {channels}, ScaleInit(), weight_);
    AddParameter("bias", {channels}, BiasInit(), bias_);
  }

  // x (N, channels, H, W), as the result.
  at::Tensor Forward(const at::Tensor& x) const {
    const at::Tensor norms = at::linalg_vector_norm(x, 2, at::IntArrayRef({2, 3}), true);
    const at::Tensor relative = norms.div(norms.mean({1}, true).add_(kConvNextEps));
    return at::addcmul(bias_.view({1, -1, 1, 1}), weight_.view({1, -1, 1, 1}), x.mul(relative))
        .add_(x);
  }

 private:
  at::Tensor weight_;  // (channels)
  at::Tensor bias_;    // (channels)
};

// Convolution, norm, and two 1x1 convolutions. The result is added to the input.
class Block final : public ConvNextBlock {
 public:
  Block(Layer& parent, const ConvNextPlace& place)
      : ConvNextBlock(parent, place, "conv_dw", "norm"),
        hidden_(4 * place.channels),
        widen_(*this, "mlp.fc1", {.in = place.channels, .out = hidden_, .kernel = 1, .bias = true}),
        response_norm_(*this, "mlp.grn", hidden_),
        narrow_(*this, "mlp.fc2",
                {.in = hidden_, .out = place.channels, .kernel = 1, .bias = true}) {}

  at::Tensor Forward(const at::Tensor& x) const override {
    const at::Tensor y = widen_.Forward(norm_.ForwardOverChannels(conv_.Forward(x)));
    return narrow_.Forward(response_norm_.Forward(Activate(Activation::kGelu, y))).add(x);
  }

 private:
  const int64_t hidden_;
  Conv2d widen_;
  ResponseNorm response_norm_;
  Conv2d narrow_;
};

absl::StatusOr<std::unique_ptr<Model>> Make(const Parameters& parameters) {
  return MakeConvNext(
      parameters,
      {.family = "convnextv2",
       .stem = "stem",
       .downsample = [](int64_t stage) { return absl::StrCat("stages.", stage, ".downsample"); },
       .block = [](int64_t stage,
                   int64_t block) { return absl::StrCat("stages.", stage, ".blocks.", block); },
       .norm = "head.norm",
       .linear = "head.fc"},
      [](Layer& parent, const ConvNextPlace& place) {
        return std::make_unique<Block>(parent, place);
      });
}

ASSAY_MODEL_IMPLEMENTATION("convnextv2", Make);

}  // namespace
}  // namespace assay::models
