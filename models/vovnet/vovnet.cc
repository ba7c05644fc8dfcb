// VoVNet as timm builds it (timm/models/vovnet.py): version "a" and, with sums and gates, version "b".
// Tensor names, order and shapes are timm's, so its checkpoints fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/concat.h>
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

constexpr int64_t kMinimumPixels = 29;  // fewer, and the last pooling has nothing left
constexpr int64_t kStages = 4;
constexpr int64_t kStem[] = {64, 64, 128};              // channels
constexpr int64_t kMiddle[] = {128, 160, 192, 224};     // of a stage's 3x3 convolutions
constexpr int64_t kChannels[] = {256, 512, 768, 1024};  // of a stage's features

ConvNormNames Names(const std::string& name) { return {name + ".conv", name + ".bn"}; }

struct BlockOptions {
  int64_t in;
  int64_t middle;
  int64_t out;
  int64_t convolutions;
  bool sums;   // whether the input is added
  bool gates;  // whether means of all channels scale each channel
};

// One-shot aggregation: convolutions in a row, and one that sees what all of them made.
class Block final : public Layer {
 public:
  Block(Layer& parent, std::string name, const BlockOptions& options)
      : Layer(parent, std::move(name)), sums_(options.sums) {
    int64_t in = options.in;
    for (int64_t i = 0; i < options.convolutions; ++i, in = options.middle) {
      middle_.push_back(std::make_unique<ConvNormActivation>(
          *this, Names(absl::StrCat("conv_mid.", i)),
          ConvNormActivationOptions{.in = in, .out = options.middle, .kernel = 3}));
    }
    aggregate_ = std::make_unique<ConvNormActivation>(
        *this, Names("conv_concat"),
        ConvNormActivationOptions{.in = options.in + options.convolutions * options.middle,
                                  .out = options.out});
    if (!options.gates) return;
    gate_ = std::make_unique<Conv2d>(
        *this, "attn.fc",
        Conv2dOptions{.in = options.out, .out = options.out, .kernel = 1, .bias = true});
  }

  at::Tensor Forward(const at::Tensor& x) {
    std::vector<at::Tensor> features = {x};
    for (const std::unique_ptr<ConvNormActivation>& conv : middle_) {
      features.push_back(conv->Forward(features.back()));
    }
    at::Tensor y = aggregate_->Forward(at::concat(features, 1));
    if (gate_) {
      const at::Tensor means = y.mean({2, 3}, /*keepdim=*/true);
      y = y.mul(Activate(Activation::kHardsigmoid, gate_->Forward(means)));
    }
    return sums_ ? y.add(x) : y;
  }

 private:
  bool sums_;
  std::vector<std::unique_ptr<ConvNormActivation>> middle_;
  std::unique_ptr<ConvNormActivation> aggregate_;
  std::unique_ptr<Conv2d> gate_;  // null: none
};

class VoVNet final : public LayeredModel {
 public:
  VoVNet(const std::vector<int64_t>& layers, int64_t convolutions, bool version_b,
         int64_t num_classes)
      : stem1_(*this, Names("stem.0"), {.in = 3, .out = kStem[0], .kernel = 3, .stride = 2}),
        stem2_(*this, Names("stem.1"), {.in = kStem[0], .out = kStem[1], .kernel = 3}),
        stem3_(*this, Names("stem.2"),
               {.in = kStem[1], .out = kStem[2], .kernel = 3, .stride = 2}) {
    int64_t in = kStem[2];
    for (int64_t stage = 0; stage < kStages; ++stage) {
      stages_.emplace_back();
      for (int64_t i = 0; i < layers[stage]; ++i) {
        stages_.back().push_back(
            std::make_unique<Block>(*this, absl::StrCat("stages.", stage, ".blocks.", i),
                                    BlockOptions{.in = in,
                                                 .middle = kMiddle[stage],
                                                 .out = kChannels[stage],
                                                 .convolutions = convolutions,
                                                 .sums = version_b && i > 0,
                                                 .gates = version_b && i + 1 == layers[stage]}));
        in = kChannels[stage];
      }
    }
    fc_ = std::make_unique<Linear>(*this, "head.fc", LinearOptions{.in = in, .out = num_classes});
  }

  // Images (N, 3, H, W) -> logits (N, num_classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], "vovnet", {.minimum = kMinimumPixels});
    at::Tensor x = stem3_.Forward(stem2_.Forward(stem1_.Forward(inputs[0])));
    for (size_t stage = 0; stage < stages_.size(); ++stage) {
      if (stage > 0) {
        x = at::max_pool2d(x, /*kernel_size=*/{3, 3}, /*stride=*/{2, 2}, /*padding=*/{0, 0},
                           /*dilation=*/{1, 1}, /*ceil_mode=*/true);
      }
      for (const std::unique_ptr<Block>& block : stages_[stage]) x = block->Forward(x);
    }
    return {fc_->Forward(at::adaptive_avg_pool2d(x, {1, 1}).flatten(1))};
  }

 private:
  ConvNormActivation stem1_;
  ConvNormActivation stem2_;
  ConvNormActivation stem3_;
  std::vector<std::vector<std::unique_ptr<Block>>> stages_;
  std::unique_ptr<Linear> fc_;
};

ASSAY_MODEL_IMPLEMENTATION(
    "vovnet", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const std::vector<int64_t>& layers = parameters.Integers("layers");
      const absl::Status status = CheckBlocks("vovnet", parameters, kStages);
      if (!status.ok()) return status;
      return std::make_unique<VoVNet>(layers, parameters.Integer("convolutions"),
                                      parameters.Flag("version_b"),
                                      parameters.Integer("num_classes"));
    });

}  // namespace
}  // namespace assay::models
