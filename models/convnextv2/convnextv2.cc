// ConvNeXt V2 as timm builds its smaller sizes (timm/models/convnext.py, with linear layers as 1x1
// convolutions). Tensor names, order and shapes are timm's, so its checkpoints fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/addcmul.h>
#include <ATen/ops/linalg_vector_norm.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/activation.h"
#include "models/layers/conv2d.h"
#include "models/layers/image_input.h"
#include "models/layers/layer_norm.h"
#include "models/layers/layered_model.h"
#include "models/layers/linear.h"
#include "models/layers/norm_downsample.h"
#include "models/layers/recipes.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr int64_t kMinimumPixels =
    32;  // the stem divides by 4, and three times the image is halved
constexpr double kEps = 1e-6;

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
    const at::Tensor relative = norms.div(norms.mean({1}, true).add_(kEps));
    return at::addcmul(bias_.view({1, -1, 1, 1}), weight_.view({1, -1, 1, 1}), x.mul(relative))
        .add_(x);
  }

 private:
  at::Tensor weight_;  // (channels)
  at::Tensor bias_;    // (channels)
};

// A depthwise 7x7 convolution, then norm and two 1x1 convolutions; added to the input.
class Block final : public Layer {
 public:
  Block(Layer& parent, std::string name, int64_t channels)
      : Layer(parent, std::move(name)),
        conv_(*this, "conv_dw",
              {.in = channels,
               .out = channels,
               .kernel = 7,
               .padding = 3,
               .groups = channels,
               .bias = true}),
        norm_(*this, "norm", {.features = channels, .eps = kEps}),
        widen_(*this, "mlp.fc1", {.in = channels, .out = 4 * channels, .kernel = 1, .bias = true}),
        response_norm_(*this, "mlp.grn", 4 * channels),
        narrow_(*this, "mlp.fc2",
                {.in = 4 * channels, .out = channels, .kernel = 1, .bias = true}) {}

  at::Tensor Forward(const at::Tensor& x) const {
    const at::Tensor y = widen_.Forward(norm_.ForwardOverChannels(conv_.Forward(x)));
    return narrow_.Forward(response_norm_.Forward(Activate(Activation::kGelu, y))).add(x);
  }

 private:
  Conv2d conv_;
  LayerNorm norm_;
  Conv2d widen_;
  ResponseNorm response_norm_;
  Conv2d narrow_;
};

struct ConvNextV2Options {
  std::vector<int64_t> channels;  // of each stage
  std::vector<int64_t> layers;    // blocks in each stage
  int64_t num_classes;
};

class ConvNextV2 final : public LayeredModel {
 public:
  explicit ConvNextV2(const ConvNextV2Options& options)
      : stem_(*this, "stem.0",
              {.in = 3, .out = options.channels[0], .kernel = 4, .stride = 4, .bias = true}),
        stem_norm_(*this, "stem.1", {.features = options.channels[0], .eps = kEps}) {
    for (size_t stage = 0; stage < options.layers.size(); ++stage) {
      Stage& made = stages_.emplace_back();
      const int64_t channels = options.channels[stage];
      if (stage > 0) {
        made.downsample =
            std::make_unique<NormDownsample>(*this, absl::StrCat("stages.", stage, ".downsample"),
                                             options.channels[stage - 1], channels, kEps);
      }
      for (int64_t i = 0; i < options.layers[stage]; ++i) {
        made.blocks.push_back(std::make_unique<Block>(
            *this, absl::StrCat("stages.", stage, ".blocks.", i), channels));
      }
    }
    norm_ = std::make_unique<LayerNorm>(
        *this, "head.norm", LayerNormOptions{.features = options.channels.back(), .eps = kEps});
    linear_ = std::make_unique<Linear>(
        *this, "head.fc", LinearOptions{.in = options.channels.back(), .out = options.num_classes});
  }

  // Images (N, 3, H, W) -> logits (N, num_classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], "convnextv2", {.minimum = kMinimumPixels});
    at::Tensor x = stem_norm_.ForwardOverChannels(stem_.Forward(inputs[0]));
    for (const Stage& stage : stages_) {
      if (stage.downsample) x = stage.downsample->Forward(x);
      for (const std::unique_ptr<Block>& block : stage.blocks) x = block->Forward(x);
    }
    x = norm_->Forward(at::adaptive_avg_pool2d(x, {1, 1}).flatten(1));
    return {linear_->Forward(x)};
  }

 private:
  struct Stage {
    std::unique_ptr<NormDownsample> downsample;  // null in the first one
    std::vector<std::unique_ptr<Block>> blocks;
  };

  Conv2d stem_;
  LayerNorm stem_norm_;
  std::vector<Stage> stages_;
  std::unique_ptr<LayerNorm> norm_;
  std::unique_ptr<Linear> linear_;
};

ASSAY_MODEL_IMPLEMENTATION(
    "convnextv2", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const ConvNextV2Options options = {.channels = parameters.Integers("channels"),
                                         .layers = parameters.Integers("layers"),
                                         .num_classes = parameters.Integer("num_classes")};
      if (options.channels.size() != 4 || options.layers.size() != 4) {
        return absl::InvalidArgumentError(
            absl::StrCat("convnextv2: ", options.channels.size(), " channels and ",
                         options.layers.size(), " layers; want 4 of each, one for each stage"));
      }
      return std::make_unique<ConvNextV2>(options);
    });

}  // namespace
}  // namespace assay::models
