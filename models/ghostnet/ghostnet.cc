// GhostNet as timm builds it (timm/models/ghostnet.py). Tensor names, order and shapes are timm's, so
// its checkpoints fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/concat.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/conv2d.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/vision/conv_norm_activation.h"
#include "models/layers/vision/image_input.h"
#include "models/layers/vision/inverted_residual.h"
#include "models/layers/vision/squeeze_excitation.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr double kDropout = 0.2;
constexpr double kSqueeze = 0.25;  // of a block's inner channels
constexpr int64_t kDivisor = 4;    // of all widths but the head's
constexpr int64_t kStem = 16;
constexpr int64_t kHidden = 1280;

// Channels at width 1.
struct Block {
  int64_t kernel;
  int64_t expanded;
  int64_t out;
  bool squeezes;
  int64_t stride;
};

// A stage's blocks are numbered; where the image is halved, a block is a stage of its own.
const std::vector<std::vector<Block>>& Stages() {
  static const auto* stages = new std::vector<std::vector<Block>>{
      {{3, 16, 16, false, 1}},
      {{3, 48, 24, false, 2}},
      {{3, 72, 24, false, 1}},
      {{5, 72, 40, true, 2}},
      {{5, 120, 40, true, 1}},
      {{3, 240, 80, false, 2}},
      {{3, 200, 80, false, 1},
       {3, 184, 80, false, 1},
       {3, 184, 80, false, 1},
       {3, 480, 112, true, 1},
       {3, 672, 112, true, 1}},
      {{5, 672, 160, true, 2}},
      {{5, 960, 160, false, 1},
       {5, 960, 160, true, 1},
       {5, 960, 160, false, 1},
       {5, 960, 160, true, 1}},
  };
  return *stages;
}

int64_t Width(double multiplier, int64_t channels) {
  return RoundedTo(kDivisor, multiplier * static_cast<double>(channels));
}

// Half of the channels come from a 1x1 convolution, and from each of them another one by a 3x3.
class GhostModule final : public Layer {
 public:
  GhostModule(Layer& parent, std::string name, int64_t in, int64_t out, Activation activation)
      : Layer(parent, std::move(name)),
        primary_(*this, NamesInSequence("primary_conv"),
                 {.in = in, .out = out / 2, .activation = activation}),
        cheap_(*this, NamesInSequence("cheap_operation"),
               {.in = out / 2,
                .out = out / 2,
                .kernel = 3,
                .groups = out / 2,
                .activation = activation}) {}

  at::Tensor Forward(const at::Tensor& x) {
    const at::Tensor half = primary_.Forward(x);
    return at::concat({half, cheap_.Forward(half)}, 1);
  }

 private:
  ConvNormActivation primary_;
  ConvNormActivation cheap_;
};

// Ghost module to wide, depthwise convolution where the image is halved, squeeze-excitation, ghost
// module to narrow; added to the input.
class Bottleneck final : public Layer {
 public:
  Bottleneck(Layer& parent, std::string name, int64_t in, double width, const Block& block)
      : Layer(parent, std::move(name)) {
    const int64_t expanded = Width(width, block.expanded), out = Width(width, block.out);
    widen_ = std::make_unique<GhostModule>(*this, "ghost1", in, expanded, Activation::kRelu);
    const auto depthwise = [&](const ConvNormNames& names, int64_t channels) {
      return std::make_unique<ConvNormActivation>(
          *this, names,
          ConvNormActivationOptions{.in = channels,
                                    .out = channels,
                                    .kernel = block.kernel,
                                    .stride = block.stride,
                                    .groups = channels,
                                    .activation = Activation::kNone});
    };
    if (block.stride > 1) depthwise_ = depthwise({"conv_dw", "bn_dw"}, expanded);
    if (block.squeezes) {
      squeeze_excitation_ = std::make_unique<SqueezeExcitation>(
          *this, "se",
          SqueezeExcitationOptions{
              .channels = expanded,
              .squeezed = RoundedTo(kDivisor, kSqueeze * static_cast<double>(expanded)),
              .gate = Activation::kHardsigmoid,
              .fc1 = "conv_reduce",
              .fc2 = "conv_expand"});
    }
    narrow_ = std::make_unique<GhostModule>(*this, "ghost2", expanded, out, Activation::kNone);
    if (block.stride == 1 && in == out) return;
    shortcut0_ = depthwise({"shortcut.0", "shortcut.1"}, in);
    shortcut2_ = std::make_unique<ConvNormActivation>(
        *this, ConvNormNames{"shortcut.2", "shortcut.3"},
        ConvNormActivationOptions{.in = in, .out = out, .activation = Activation::kNone});
  }

  at::Tensor Forward(const at::Tensor& x) {
    at::Tensor y = widen_->Forward(x);
    if (depthwise_) y = depthwise_->Forward(y);
    if (squeeze_excitation_) y = squeeze_excitation_->Forward(y);
    return narrow_->Forward(y).add_(shortcut0_ ? shortcut2_->Forward(shortcut0_->Forward(x)) : x);
  }

 private:
  std::unique_ptr<GhostModule> widen_;
  std::unique_ptr<ConvNormActivation> depthwise_;
  std::unique_ptr<SqueezeExcitation> squeeze_excitation_;
  std::unique_ptr<GhostModule> narrow_;
  std::unique_ptr<ConvNormActivation> shortcut0_;  // both null where the input fits as it is
  std::unique_ptr<ConvNormActivation> shortcut2_;
};

class GhostNet final : public LayeredModel {
 public:
  GhostNet(double width, int64_t num_classes)
      : stem_(*this, {"conv_stem", "bn1"},
              {.in = 3, .out = Width(width, kStem), .kernel = 3, .stride = 2}),
        blocks_(MakeBlocks(width)),
        last_(*this,
              {absl::StrCat("blocks.", Stages().size(), ".0.conv"),
               absl::StrCat("blocks.", Stages().size(), ".0.bn1")},
              {.in = Width(width, Stages().back().back().out), .out = Last(width)}),
        head_(*this, "conv_head", {.in = Last(width), .out = kHidden, .kernel = 1, .bias = true}),
        classifier_(*this, "classifier", {.in = kHidden, .out = num_classes}) {}

  // Images (N, 3, H, W) -> logits (N, num_classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], "ghostnet", {});
    at::Tensor x = stem_.Forward(inputs[0]);
    for (const std::unique_ptr<Bottleneck>& block : blocks_) x = block->Forward(x);
    x = head_.Forward(at::adaptive_avg_pool2d(last_.Forward(x), {1, 1})).relu_().flatten(1);
    return {classifier_.Forward(dropout_.Forward(x))};
  }

 private:
  static int64_t Last(double width) { return Width(width, Stages().back().back().expanded); }

  std::vector<std::unique_ptr<Bottleneck>> MakeBlocks(double width) {
    std::vector<std::unique_ptr<Bottleneck>> blocks;
    int64_t in = Width(width, kStem);
    for (size_t stage = 0; stage < Stages().size(); ++stage) {
      for (size_t i = 0; i < Stages()[stage].size(); ++i) {
        const Block& block = Stages()[stage][i];
        blocks.push_back(std::make_unique<Bottleneck>(*this, absl::StrCat("blocks.", stage, ".", i),
                                                      in, width, block));
        in = Width(width, block.out);
      }
    }
    return blocks;
  }

  ConvNormActivation stem_;
  std::vector<std::unique_ptr<Bottleneck>> blocks_;
  ConvNormActivation last_;
  Conv2d head_;
  Linear classifier_;
  Dropout dropout_{*this, kDropout};
};

ASSAY_MODEL_IMPLEMENTATION(
    "ghostnet", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      return std::make_unique<GhostNet>(parameters.Real("width_multiplier"),
                                        parameters.Integer("num_classes"));
    });

}  // namespace
}  // namespace assay::models
