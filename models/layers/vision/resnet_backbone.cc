#include "models/layers/vision/resnet_backbone.h"

#include <ATen/ops/max_pool2d.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "models/layers/core/activation.h"
#include "models/layers/vision/sums.h"

namespace assay::models {
namespace {

// Factor on the scale of the last norm of each residual branch. Without it every block adds its
// branch at full size and the output's standard deviation grows to 799 over resnet152's 50 blocks.
constexpr double kResNetBranchGain = 0.3;

constexpr int64_t kStemChannels = 64;
constexpr int kResNetStages = 4;

struct BlockOptions {
  int64_t in;
  int64_t planes;  // the stage's width before expansion
  int64_t stride;
  int64_t dilation;
  int64_t groups;
  int64_t width_per_group;
  bool bottleneck;
  bool frozen_norms;
  int64_t norm_groups;

  int64_t out() const { return bottleneck ? planes * 4 : planes; }
};

}  // namespace

class ResNetBlock final : public Layer {
 public:
  ResNetBlock(Layer& parent, std::string name, const BlockOptions& options)
      : Layer(parent, std::move(name)) {
    if (options.bottleneck) {
      const int64_t width = options.planes * options.width_per_group / 64 * options.groups;
      AddToBranch(options, {.in = options.in, .out = width});
      AddToBranch(options, {.in = width,
                            .out = width,
                            .kernel = 3,
                            .stride = options.stride,
                            .dilation = options.dilation,
                            .groups = options.groups});
      AddToBranch(options, Last({.in = width, .out = options.out()}));
    } else {
      AddToBranch(options,
                  {.in = options.in, .out = options.planes, .kernel = 3, .stride = options.stride});
      AddToBranch(options, Last({.in = options.planes, .out = options.planes, .kernel = 3}));
    }
    // torchvision registers the downsampling after the branch.
    if (options.stride == 1 && options.in == options.out()) return;
    downsample_ = Convolution(options, NamesInSequence("downsample"),
                              {.in = options.in,
                               .out = options.out(),
                               .stride = options.stride,
                               .activation = Activation::kNone});
  }

  at::Tensor Forward(const at::Tensor& x) {
    at::Tensor out = x;
    for (const std::unique_ptr<ConvNormActivation>& convolution : branch_) {
      out = convolution->Forward(std::move(out));
    }
    return sum_.Forward(std::move(out), downsample_ ? downsample_->Forward(x) : x);
  }

 private:
  static ConvNormActivationOptions Last(ConvNormActivationOptions convolution) {
    convolution.activation = Activation::kNone;
    convolution.norm_gain = kResNetBranchGain;
    return convolution;
  }

  std::unique_ptr<ConvNormActivation> Convolution(const BlockOptions& options,
                                                  const ConvNormNames& names,
                                                  ConvNormActivationOptions convolution) {
    convolution.frozen = options.frozen_norms;
    convolution.norm_groups = options.norm_groups;
    return std::make_unique<ConvNormActivation>(*this, names, convolution);
  }

  void AddToBranch(const BlockOptions& options, const ConvNormActivationOptions& convolution) {
    const size_t number = branch_.size() + 1;
    branch_.push_back(Convolution(
        options, {absl::StrCat("conv", number), absl::StrCat("bn", number)}, convolution));
  }

  std::vector<std::unique_ptr<ConvNormActivation>> branch_;
  std::unique_ptr<ConvNormActivation> downsample_;  // null where the input fits as it is
  BranchSum sum_{*this, Activation::kRelu};
};

ResNetBackbone::ResNetBackbone(Layer& parent, const std::string& prefix,
                               const ResNetBackboneOptions& options)
    : stem_(parent, {prefix + "conv1", prefix + "bn1"},
            {.in = 3,
             .out = kStemChannels,
             .kernel = 7,
             .stride = 2,
             .frozen = options.frozen_norms,
             .norm_groups = options.norm_groups}),
      high_channels_(kStemChannels),
      frozen_start_(options.frozen_start) {
  int64_t dilation = 1;
  for (int stage = 0; stage < kResNetStages; ++stage) {
    const bool dilates = stage >= kResNetStages - options.dilated_stages;
    std::vector<std::unique_ptr<ResNetBlock>>& blocks = stages_.emplace_back();
    for (int64_t i = 0; i < options.layers[stage]; ++i) {
      const BlockOptions block = {.in = high_channels_,
                                  .planes = kStemChannels << stage,
                                  .stride = stage > 0 && i == 0 && !dilates ? 2 : 1,
                                  .dilation = dilation,
                                  .groups = options.groups,
                                  .width_per_group = options.width_per_group,
                                  .bottleneck = options.bottleneck,
                                  .frozen_norms = options.frozen_norms,
                                  .norm_groups = options.norm_groups};
      blocks.push_back(std::make_unique<ResNetBlock>(
          parent, absl::StrCat(prefix, "layer", stage + 1, ".", i), block));
      high_channels_ = block.out();
      // From the second block on: the first one keeps the dilation of the stage before.
      if (dilates && i == 0) dilation *= 2;
    }
  }
}

ResNetBackbone::~ResNetBackbone() = default;

at::Tensor ResNetBackbone::Start(const at::Tensor& image) {
  // With the dilation, which the kernel for integers does not complete by itself.
  const at::Tensor x = Stage(0, at::max_pool2d(stem_.Forward(image), /*kernel_size=*/{3, 3},
                                               /*stride=*/{2, 2}, /*padding=*/{1, 1},
                                               /*dilation=*/{1, 1}));
  return frozen_start_ ? x.detach() : x;
}

at::Tensor ResNetBackbone::Stage(size_t stage, at::Tensor x) {
  for (const std::unique_ptr<ResNetBlock>& block : stages_[stage]) x = block->Forward(x);
  return x;
}

std::vector<at::Tensor> ResNetBackbone::Stages(const at::Tensor& image) {
  std::vector<at::Tensor> features = {Start(image)};
  while (features.size() < stages_.size())
    features.push_back(Stage(features.size(), features.back()));
  return features;
}

at::Tensor ResNetBackbone::Low(const at::Tensor& image) {
  at::Tensor x = Start(image);
  for (size_t stage = 1; stage + 1 < stages_.size(); ++stage) x = Stage(stage, std::move(x));
  return x;
}

at::Tensor ResNetBackbone::High(at::Tensor low) {
  return Stage(stages_.size() - 1, std::move(low));
}

}  // namespace assay::models
