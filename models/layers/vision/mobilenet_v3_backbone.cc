#include "models/layers/vision/mobilenet_v3_backbone.h"

#include "absl/strings/str_cat.h"
#include "models/layers/core/activation.h"

namespace assay::models {
namespace {

constexpr double kMobileNetEps = 1e-3;
constexpr double kMomentum = 0.01;

// Factor on the scale of the norm in front of a residual sum: without it the large model's output
// grows to a standard deviation of 666, and fp32's error to 1.3e-5 of that.
constexpr double kMobileNetBranchGain = 0.5;

// Pixels of the image per side that become one feature: in the features from the middle, and in the
// last ones where they are not dilated.
constexpr int64_t kLowPixels = 8, kHighPixels = 32;

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

InvertedResidualOptions OptionsOf(const Block& block, bool dilated) {
  return {.in = block.in,
          .expanded = block.expanded,
          .out = block.out,
          .kernel = block.kernel,
          .stride = dilated ? 1 : block.stride,
          .dilation = dilated ? 2 : 1,
          .squeezed = block.squeezes ? RoundedToEight(block.expanded / 4) : 0,
          .gate = Activation::kHardsigmoid,
          .activation = block.activation,
          .eps = kMobileNetEps,
          .momentum = kMomentum,
          .gain = MobileNetV3Backbone::kGain,
          .branch_gain = kMobileNetBranchGain};
}

}  // namespace

MobileNetV3Backbone::MobileNetV3Backbone(Layer& parent, const std::string& prefix,
                                         const MobileNetV3BackboneOptions& options) {
  int number = 0;
  const auto convolution = [&](int64_t in, int64_t out, int64_t kernel, int64_t stride) {
    return std::make_unique<ConvNormActivation>(parent,
                                                NamesInSequence(absl::StrCat(prefix, number++)),
                                                ConvNormActivationOptions{.in = in,
                                                                          .out = out,
                                                                          .kernel = kernel,
                                                                          .stride = stride,
                                                                          .activation = kHs,
                                                                          .eps = kMobileNetEps,
                                                                          .momentum = kMomentum,
                                                                          .gain = kGain});
  };
  const std::vector<Block>& blocks = options.large ? LargeBlocks() : SmallBlocks();
  stem_ = convolution(3, blocks.front().in, 3, 2);
  int64_t pixels = 2;
  for (const Block& block : blocks) {
    pixels *= block.stride;
    (low_channels_ == 0 ? low_ : high_)
        .push_back(std::make_unique<InvertedResidual>(
            parent, absl::StrCat(prefix, number++),
            OptionsOf(block, options.dilated && pixels == kHighPixels)));
    if (pixels == kLowPixels && low_channels_ == 0) low_channels_ = block.out;
  }
  high_channels_ = 6 * blocks.back().out;
  last_ = convolution(blocks.back().out, high_channels_, 1, 1);
}

at::Tensor MobileNetV3Backbone::Low(const at::Tensor& image) {
  at::Tensor x = stem_->Forward(image);
  for (const std::unique_ptr<InvertedResidual>& block : low_) x = block->Forward(x);
  return x;
}

at::Tensor MobileNetV3Backbone::High(at::Tensor low) {
  for (const std::unique_ptr<InvertedResidual>& block : high_) low = block->Forward(low);
  return last_->Forward(low);
}

}  // namespace assay::models
