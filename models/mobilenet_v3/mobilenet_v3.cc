// MobileNetV3 as torchvision builds it (torchvision/models/mobilenetv3.py). Tensor names, order and
// shapes are torchvision's, so its checkpoints fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/adaptive_avg_pool2d.h>

#include <cstdint>
#include <memory>
#include <numbers>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/activation.h"
#include "models/layers/conv_norm_activation.h"
#include "models/layers/dropout.h"
#include "models/layers/image_input.h"
#include "models/layers/inverted_residual.h"
#include "models/layers/layered_model.h"
#include "models/layers/linear.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr double kDropout = 0.2;
constexpr double kEps = 1e-3;
constexpr double kMomentum = 0.01;

// Factor on the weights' recipe, for what hardswish and gates take away: without it biases drown the
// image, and a change of a gate's weights by 1 % moves the output by 2e-6 of its standard deviation.
constexpr double kGain = std::numbers::sqrt2;
// Factor on the scale of the norm in front of a residual sum: without it the large model's output
// grows to a standard deviation of 666, and fp32 is 1.3e-5 of it off.
constexpr double kBranchGain = 0.5;

struct Block {
  int64_t in;
  int64_t kernel;
  int64_t expanded;
  int64_t out;
  bool squeezes;
  Activation activation;
  int64_t stride;
};

constexpr auto kRe = Activation::kRelu;
constexpr auto kHs = Activation::kHardswish;

const std::vector<Block>& SmallBlocks() {
  static const auto* blocks = new std::vector<Block>{
      {16, 3, 16, 16, true, kRe, 2},  {16, 3, 72, 24, false, kRe, 2},
      {24, 3, 88, 24, false, kRe, 1}, {24, 5, 96, 40, true, kHs, 2},
      {40, 5, 240, 40, true, kHs, 1}, {40, 5, 240, 40, true, kHs, 1},
      {40, 5, 120, 48, true, kHs, 1}, {48, 5, 144, 48, true, kHs, 1},
      {48, 5, 288, 96, true, kHs, 2}, {96, 5, 576, 96, true, kHs, 1},
      {96, 5, 576, 96, true, kHs, 1},
  };
  return *blocks;
}

const std::vector<Block>& LargeBlocks() {
  static const auto* blocks = new std::vector<Block>{
      {16, 3, 16, 16, false, kRe, 1},   {16, 3, 64, 24, false, kRe, 2},
      {24, 3, 72, 24, false, kRe, 1},   {24, 5, 72, 40, true, kRe, 2},
      {40, 5, 120, 40, true, kRe, 1},   {40, 5, 120, 40, true, kRe, 1},
      {40, 3, 240, 80, false, kHs, 2},  {80, 3, 200, 80, false, kHs, 1},
      {80, 3, 184, 80, false, kHs, 1},  {80, 3, 184, 80, false, kHs, 1},
      {80, 3, 480, 112, true, kHs, 1},  {112, 3, 672, 112, true, kHs, 1},
      {112, 5, 672, 160, true, kHs, 2}, {160, 5, 960, 160, true, kHs, 1},
      {160, 5, 960, 160, true, kHs, 1},
  };
  return *blocks;
}

ConvNormActivationOptions Convolution(int64_t in, int64_t out, int64_t kernel, int64_t stride) {
  return {.in = in,
          .out = out,
          .kernel = kernel,
          .stride = stride,
          .activation = kHs,
          .eps = kEps,
          .momentum = kMomentum,
          .gain = kGain};
}

class MobileNetV3 final : public LayeredModel {
 public:
  MobileNetV3(const std::vector<Block>& blocks, int64_t hidden, int64_t num_classes)
      : stem_(*this, NamesInSequence("features.0"), Convolution(3, blocks.front().in, 3, 2)),
        blocks_(MakeBlocks(blocks)),
        last_(*this, NamesInSequence(absl::StrCat("features.", blocks.size() + 1)),
              Convolution(blocks.back().out, 6 * blocks.back().out, 1, 1)),
        linear0_(*this, "classifier.0",
                 {.in = 6 * blocks.back().out, .out = hidden, .gain = kGain}),
        linear3_(*this, "classifier.3", {.in = hidden, .out = num_classes, .gain = kGain}) {}

  // Images (N, 3, H, W) -> logits (N, num_classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], "mobilenet_v3", {});
    at::Tensor x = stem_.Forward(inputs[0]);
    for (const std::unique_ptr<InvertedResidual>& block : blocks_) x = block->Forward(x);
    x = at::adaptive_avg_pool2d(last_.Forward(x), {1, 1}).flatten(1);
    x = Activate(kHs, linear0_.Forward(x));
    return {linear3_.Forward(dropout_.Forward(x))};
  }

 private:
  std::vector<std::unique_ptr<InvertedResidual>> MakeBlocks(const std::vector<Block>& blocks) {
    std::vector<std::unique_ptr<InvertedResidual>> made;
    for (const Block& block : blocks) {
      made.push_back(std::make_unique<InvertedResidual>(
          *this, absl::StrCat("features.", made.size() + 1),
          InvertedResidualOptions{
              .in = block.in,
              .expanded = block.expanded,
              .out = block.out,
              .kernel = block.kernel,
              .stride = block.stride,
              .squeezed = block.squeezes ? RoundedToEight(block.expanded / 4) : 0,
              .gate = Activation::kHardsigmoid,
              .activation = block.activation,
              .eps = kEps,
              .momentum = kMomentum,
              .gain = kGain,
              .branch_gain = kBranchGain}));
    }
    return made;
  }

  ConvNormActivation stem_;
  std::vector<std::unique_ptr<InvertedResidual>> blocks_;
  ConvNormActivation last_;
  Linear linear0_;
  Linear linear3_;
  Dropout dropout_{*this, kDropout};
};

ASSAY_MODEL_IMPLEMENTATION(
    "mobilenet_v3", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const bool small = parameters.Text("size") == "small";
      return std::make_unique<MobileNetV3>(small ? SmallBlocks() : LargeBlocks(),
                                           small ? 1024 : 1280, parameters.Integer("num_classes"));
    });

}  // namespace
}  // namespace assay::models
