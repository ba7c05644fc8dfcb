#include "models/layers/vision/efficientnet_body.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "models/layers/core/activation.h"
#include "models/layers/vision/stochastic_depth.h"

namespace assay::models {
namespace {

constexpr int64_t kSqueeze = 4;  // a block's input channels to those that it is squeezed to

// Factor on the scale of the norm in front of a residual sum, as in models/resnet: without it 57
// blocks and more grow into rounding (efficientnet_v2_s: fp32 is 0.1 off).
constexpr double kBranchGain = 0.3;

// Parts of a block of timm, with and without a convolution that expands.
ConvNormNames TimmNames(int part, bool last) {
  if (last) return {"conv_pwl", "bn3"};
  return part == 0 ? ConvNormNames{"conv_pw", "bn1"} : ConvNormNames{"conv_dw", "bn2"};
}
ConvNormNames TimmNamesUnexpanded(int /*part*/, bool last) {
  return last ? ConvNormNames{"conv_pw", "bn2"} : ConvNormNames{"conv_dw", "bn1"};
}

}  // namespace

std::vector<EfficientNetStage> EfficientNetB() {
  return {{1, 3, 1, 32, 16, 1},  {6, 3, 2, 16, 24, 2},  {6, 5, 2, 24, 40, 2},
          {6, 3, 2, 40, 80, 3},  {6, 5, 1, 80, 112, 3}, {6, 5, 2, 112, 192, 4},
          {6, 3, 1, 192, 320, 1}};
}

int64_t EfficientNetBodyOptions::Width(int64_t channels) const {
  return RoundedToEight(static_cast<double>(channels) * width_multiplier);
}

int64_t EfficientNetBodyOptions::Depth(int64_t layers) const {
  return static_cast<int64_t>(std::ceil(static_cast<double>(layers) * depth_multiplier));
}

ConvNormActivationOptions EfficientNetBodyOptions::Convolution(int64_t in, int64_t out,
                                                               int64_t kernel,
                                                               int64_t stride) const {
  return {.in = in,
          .out = out,
          .kernel = kernel,
          .stride = stride,
          .by_size = pads_by_size,
          .activation = Activation::kSilu,
          .eps = norm_epsilon,
          .momentum = norm_momentum,
          .gain = gain};
}

EfficientNetBody::EfficientNetBody(Layer &parent, const EfficientNetBodyOptions &options)
    : stem_(parent,
            options.timm ? ConvNormNames{*options.timm + "conv_stem", *options.timm + "bn1"}
                         : NamesInSequence("features.0"),
            options.Convolution(3, options.Width(options.stages.front().in), 3, 2)) {
  int64_t count = 0, block = 0;
  for (const EfficientNetStage &stage : options.stages) count += options.Depth(stage.layers);
  for (const EfficientNetStage &stage : options.stages) {
    const std::string name = options.timm ? absl::StrCat(*options.timm, "blocks.", stages_.size())
                                          : absl::StrCat("features.", stages_.size() + 1);
    std::vector<std::unique_ptr<InvertedResidual>> &blocks = stages_.emplace_back();
    const int64_t out = options.Width(stage.out);
    for (int64_t i = 0; i < options.Depth(stage.layers); ++i) {
      const int64_t in = i == 0 ? options.Width(stage.in) : out;
      InvertedResidualOptions made = {
          .in = in,
          .expanded = RoundedToEight(static_cast<double>(in * stage.expansion)),
          .out = out,
          .kernel = stage.kernel,
          .stride = i == 0 ? stage.stride : 1,
          .by_size = options.pads_by_size,
          .fused = stage.fused,
          .squeezed = stage.fused ? 0 : std::max<int64_t>(1, in / kSqueeze),
          .squeeze_activation = Activation::kSilu,
          .activation = Activation::kSilu,
          .eps = options.norm_epsilon,
          .momentum = options.norm_momentum,
          .stochastic_depth = StochasticDepthProbability(options.stochastic_depth, block++, count),
          .gain = options.gain,
          .branch_gain = kBranchGain,
          .timm_squeeze = options.timm.has_value()};
      if (options.timm) made.names = stage.expansion == 1 ? &TimmNamesUnexpanded : &TimmNames;
      blocks.push_back(
          std::make_unique<InvertedResidual>(parent, absl::StrCat(name, ".", i), made));
    }
  }
}

at::Tensor EfficientNetBody::Forward(const at::Tensor &image, std::vector<at::Tensor> *stages) {
  at::Tensor x = stem_.Forward(image);
  for (const std::vector<std::unique_ptr<InvertedResidual>> &blocks : stages_) {
    for (const std::unique_ptr<InvertedResidual> &block : blocks) x = block->Forward(x);
    if (stages != nullptr) stages->push_back(x);
  }
  return x;
}

}  // namespace assay::models
