// ResNeSt as timm builds it (timm/models/resnest.py, the versions "d" and "e" with two splits and one
// group). Tensor names, order and shapes are timm's, so its checkpoints fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/avg_pool2d.h>
#include <ATen/ops/max_pool2d.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/batch_norm2d.h"
#include "models/layers/core/conv2d.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/vision/conv_norm_activation.h"
#include "models/layers/vision/image_input.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr int64_t kStages = 4;
constexpr int64_t kWidth = 64;  // channels of the first stage's 3x3 convolutions
constexpr int64_t kExpansion = 4;
constexpr int64_t kSplits = 2;  // "radix"
// Factor on the scale of the last norm of each branch, as resnet_backbone.cc has it and says why.
constexpr double kBranchGain = 0.3;

// A 3x3 convolution makes two versions of each channel. The result is their weighted sum. The weights
// are a softmax of scores, which two layers compute from the means of the channels.
class SplitAttention final : public Layer {
 public:
  SplitAttention(Layer& parent, std::string name, int64_t channels)
      : Layer(parent, std::move(name)),
        channels_(channels),
        conv_(*this, {"conv", "bn0"},
              {.in = channels, .out = kSplits * channels, .kernel = 3, .groups = kSplits}),
        fc1_(*this, "fc1", {.in = channels, .out = channels / 2, .kernel = 1, .bias = true}),
        bn1_(*this, "bn1", {.channels = channels / 2}),
        fc2_(*this, "fc2",
             {.in = channels / 2, .out = kSplits * channels, .kernel = 1, .bias = true}) {}

  at::Tensor Forward(const at::Tensor& x) {
    const at::Tensor splits = conv_.Forward(x).unflatten(1, {kSplits, channels_});
    const at::Tensor mean = splits.sum(1).mean({2, 3}, /*keepdim=*/true);
    const at::Tensor scores = fc2_.Forward(bn1_.Forward(fc1_.Forward(mean)).relu_());
    return splits.mul(scores.unflatten(1, {kSplits, channels_}).softmax(1)).sum(1);
  }

 private:
  int64_t channels_;
  ConvNormActivation conv_;
  Conv2d fc1_;
  BatchNorm2d bn1_;
  Conv2d fc2_;
};

// A block that halves the image does so by averages, in its branch and beside it.
class Bottleneck final : public Layer {
 public:
  Bottleneck(Layer& parent, std::string name, int64_t in, int64_t width, bool halves)
      : Layer(parent, std::move(name)),
        halves_(halves),
        narrow_(*this, {"conv1", "bn1"}, {.in = in, .out = width}),
        attention_(*this, "conv2", width),
        widen_(*this, {"conv3", "bn3"},
               {.in = width,
                .out = width * kExpansion,
                .activation = Activation::kNone,
                .norm_gain = kBranchGain}) {
    if (!halves && in == width * kExpansion) return;
    shortcut_ = std::make_unique<ConvNormActivation>(
        *this, ConvNormNames{"downsample.1", "downsample.2"},
        ConvNormActivationOptions{
            .in = in, .out = width * kExpansion, .activation = Activation::kNone});
  }

  at::Tensor Forward(const at::Tensor& x) {
    at::Tensor y = attention_.Forward(narrow_.Forward(x));
    at::Tensor beside = x;
    if (halves_) {
      y = at::avg_pool2d(y, /*kernel_size=*/{3, 3}, /*stride=*/{2, 2}, /*padding=*/{1, 1});
      beside = at::avg_pool2d(x, {2, 2}, {2, 2}, {0, 0}, /*ceil_mode=*/true,
                              /*count_include_pad=*/false);
    }
    return widen_.Forward(y).add_(shortcut_ ? shortcut_->Forward(beside) : beside).relu_();
  }

 private:
  bool halves_;
  ConvNormActivation narrow_;
  SplitAttention attention_;
  ConvNormActivation widen_;
  std::unique_ptr<ConvNormActivation> shortcut_;  // null where the input fits as it is
};

class ResNeSt final : public LayeredModel {
 public:
  ResNeSt(const std::vector<int64_t>& layers, int64_t stem, int64_t num_classes)
      : stem1_(*this, {"conv1.0", "conv1.1"}, {.in = 3, .out = stem, .kernel = 3, .stride = 2}),
        stem2_(*this, {"conv1.3", "conv1.4"}, {.in = stem, .out = stem, .kernel = 3}),
        stem3_(*this, {"conv1.6", "bn1"}, {.in = stem, .out = 2 * stem, .kernel = 3}) {
    int64_t in = 2 * stem;
    for (int64_t stage = 0; stage < kStages; ++stage) {
      for (int64_t i = 0; i < layers[stage]; ++i) {
        blocks_.push_back(std::make_unique<Bottleneck>(
            *this, absl::StrCat("layer", stage + 1, ".", i), in, kWidth << stage,
            /*halves=*/stage > 0 && i == 0));
        in = (kWidth << stage) * kExpansion;
      }
    }
    fc_ = std::make_unique<Linear>(*this, "fc", LinearOptions{.in = in, .out = num_classes});
  }

  // Images (N, 3, H, W) -> logits (N, num_classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], "resnest", {});
    at::Tensor x = stem3_.Forward(stem2_.Forward(stem1_.Forward(inputs[0])));
    x = at::max_pool2d(x, /*kernel_size=*/{3, 3}, /*stride=*/{2, 2}, /*padding=*/{1, 1});
    for (const std::unique_ptr<Bottleneck>& block : blocks_) x = block->Forward(x);
    return {fc_->Forward(at::adaptive_avg_pool2d(x, {1, 1}).flatten(1))};
  }

 private:
  ConvNormActivation stem1_;
  ConvNormActivation stem2_;
  ConvNormActivation stem3_;
  std::vector<std::unique_ptr<Bottleneck>> blocks_;
  std::unique_ptr<Linear> fc_;
};

ASSAY_MODEL_IMPLEMENTATION(
    "resnest", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const std::vector<int64_t>& layers = parameters.Integers("layers");
      const absl::Status status = CheckBlocks("resnest", parameters, kStages);
      if (!status.ok()) return status;
      return std::make_unique<ResNeSt>(layers, parameters.Integer("stem_channels"),
                                       parameters.Integer("num_classes"));
    });

}  // namespace
}  // namespace assay::models
