// ConvNeXt as torchvision builds it (torchvision/models/convnext.py). Tensor names, order and shapes
// are torchvision's, so its checkpoints fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/adaptive_avg_pool2d.h>

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
#include "models/layers/gradient.h"
#include "models/layers/image_input.h"
#include "models/layers/layer_norm.h"
#include "models/layers/layered_model.h"
#include "models/layers/linear.h"
#include "models/layers/norm_downsample.h"
#include "models/layers/recipes.h"
#include "models/layers/stochastic_depth.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr int64_t kMinimumPixels =
    32;  // the stem divides by 4, and three times the image is halved
constexpr double kEps = 1e-6;

// A depthwise 7x7 convolution, then norm and two linear layers on each pixel's channels; scaled by
// channel and added to the input.
class Block final : public Layer {
 public:
  Block(Layer& parent, std::string name, int64_t channels, double stochastic_depth)
      : Layer(parent, std::move(name)),
        conv_(*this, "block.0",
              {.in = channels,
               .out = channels,
               .kernel = 7,
               .padding = 3,
               .groups = channels,
               .bias = true}),
        norm_(*this, "block.2", {.features = channels, .eps = kEps}),
        widen_(*this, "block.3", {.in = channels, .out = 4 * channels}),
        narrow_(*this, "block.5", {.in = 4 * channels, .out = channels}),
        stochastic_depth_(*this, stochastic_depth) {
    AddParameter("layer_scale", {channels, 1, 1}, ScaleInit(), layer_scale_);
  }

  at::Tensor Forward(const at::Tensor& x) const {
    at::Tensor y = norm_.Forward(conv_.Forward(x).permute({0, 2, 3, 1}));
    y = narrow_.Forward(Activate(Activation::kGelu, widen_.Forward(y))).permute({0, 3, 1, 2});
    y = AutogradRecords(y) ? y.mul(layer_scale_) : y.mul_(layer_scale_);
    y = stochastic_depth_.Forward(y);
    // Under autocast the input may be the wider of the two, and so is the sum then.
    return y.scalar_type() == x.scalar_type() ? y.add_(x) : y.add(x);
  }

 private:
  Conv2d conv_;
  LayerNorm norm_;
  Linear widen_;
  Linear narrow_;
  StochasticDepth stochastic_depth_;
  at::Tensor layer_scale_;  // (channels, 1, 1)
};

struct ConvNextOptions {
  std::vector<int64_t> channels;  // of each stage
  std::vector<int64_t> layers;    // blocks in each stage
  double stochastic_depth;
  int64_t num_classes;
};

class ConvNext final : public LayeredModel {
 public:
  explicit ConvNext(const ConvNextOptions& options)
      : stem_(*this, "features.0.0",
              {.in = 3, .out = options.channels[0], .kernel = 4, .stride = 4, .bias = true}),
        stem_norm_(*this, "features.0.1", {.features = options.channels[0], .eps = kEps}) {
    int64_t blocks = 0;
    for (const int64_t layers : options.layers) blocks += layers;
    int64_t block = 0;
    for (size_t stage = 0; stage < options.layers.size(); ++stage) {
      const int64_t channels = options.channels[stage];
      if (stage > 0) {
        downsamples_.push_back(
            std::make_unique<NormDownsample>(*this, absl::StrCat("features.", 2 * stage),
                                             options.channels[stage - 1], channels, kEps));
      }
      stages_.emplace_back();
      for (int64_t i = 0; i < options.layers[stage]; ++i) {
        stages_.back().push_back(std::make_unique<Block>(
            *this, absl::StrCat("features.", 2 * stage + 1, ".", i), channels,
            StochasticDepthProbability(options.stochastic_depth, block++, blocks - 1)));
      }
    }
    norm_ = std::make_unique<LayerNorm>(
        *this, "classifier.0", LayerNormOptions{.features = options.channels.back(), .eps = kEps});
    linear_ = std::make_unique<Linear>(
        *this, "classifier.2",
        LinearOptions{.in = options.channels.back(), .out = options.num_classes});
  }

  // Images (N, 3, H, W) -> logits (N, num_classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], "convnext", {.minimum = kMinimumPixels});
    at::Tensor x = stem_norm_.ForwardOverChannels(stem_.Forward(inputs[0]));
    for (size_t stage = 0; stage < stages_.size(); ++stage) {
      if (stage > 0) x = downsamples_[stage - 1]->Forward(x);
      for (const std::unique_ptr<Block>& block : stages_[stage]) x = block->Forward(x);
    }
    x = norm_->Forward(at::adaptive_avg_pool2d(x, {1, 1}).flatten(1));
    return {linear_->Forward(x)};
  }

 private:
  Conv2d stem_;
  LayerNorm stem_norm_;
  std::vector<std::vector<std::unique_ptr<Block>>> stages_;
  std::vector<std::unique_ptr<NormDownsample>> downsamples_;  // between them
  std::unique_ptr<LayerNorm> norm_;
  std::unique_ptr<Linear> linear_;
};

ASSAY_MODEL_IMPLEMENTATION(
    "convnext", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const ConvNextOptions options = {.channels = parameters.Integers("channels"),
                                       .layers = parameters.Integers("layers"),
                                       .stochastic_depth = parameters.Real("stochastic_depth"),
                                       .num_classes = parameters.Integer("num_classes")};
      if (options.channels.size() != 4 || options.layers.size() != 4) {
        return absl::InvalidArgumentError(
            absl::StrCat("convnext: ", options.channels.size(), " channels and ",
                         options.layers.size(), " layers; want 4 of each, one for each stage"));
      }
      return std::make_unique<ConvNext>(options);
    });

}  // namespace
}  // namespace assay::models
