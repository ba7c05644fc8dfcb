#include "models/layers/vision/resnet_backbone.h"

#include <ATen/ops/max_pool2d.h>

#include <utility>

#include "absl/strings/str_cat.h"

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
  bool frozen_norms;
  int64_t norm_groups;
};

// Brings a block's input to the shape of its branch.
class Shortcut final : public Layer {
 public:
  Shortcut(Layer& parent, const BlockOptions& options, int64_t out)
      : Layer(parent, "downsample"),
        conv_(*this, "0", {.in = options.in, .out = out, .kernel = 1, .stride = options.stride}),
        norm_(*this, "1", {.channels = out, .frozen = options.frozen_norms}, options.norm_groups) {}

  at::Tensor Forward(const at::Tensor& x) { return norm_.Forward(conv_.Forward(x)); }

 private:
  Conv2d conv_;
  ChannelNorm norm_;
};

}  // namespace

class ResNetBlock : public Layer {
 public:
  using Layer::Layer;

  at::Tensor Forward(const at::Tensor& x) {
    at::Tensor out = Branch(x);
    return out.add_(downsample_ ? downsample_->Forward(x) : x).relu_();
  }

 protected:
  // Must be called last in a constructor: torchvision registers the downsampling after the branch.
  void AddDownsample(const BlockOptions& options, int64_t out) {
    if (options.stride == 1 && options.in == out) return;
    downsample_ = std::make_unique<Shortcut>(*this, options, out);
  }

 private:
  virtual at::Tensor Branch(const at::Tensor& x) = 0;

  std::unique_ptr<Shortcut> downsample_;
};

namespace {

class BasicBlock final : public ResNetBlock {
 public:
  BasicBlock(Layer& parent, std::string name, const BlockOptions& options)
      : ResNetBlock(parent, std::move(name)),
        conv1_(*this, "conv1",
               {.in = options.in,
                .out = options.planes,
                .kernel = 3,
                .stride = options.stride,
                .padding = 1}),
        bn1_(*this, "bn1", {.channels = options.planes, .frozen = options.frozen_norms},
             options.norm_groups),
        conv2_(*this, "conv2",
               {.in = options.planes, .out = options.planes, .kernel = 3, .padding = 1}),
        bn2_(
            *this, "bn2",
            {.channels = options.planes, .gain = kResNetBranchGain, .frozen = options.frozen_norms},
            options.norm_groups) {
    AddDownsample(options, options.planes);
  }

 private:
  at::Tensor Branch(const at::Tensor& x) override {
    at::Tensor out = conv1_.Forward(x);
    out = bn1_.Forward(out).relu_();
    out = conv2_.Forward(out);
    return bn2_.Forward(out);
  }

  Conv2d conv1_;
  ChannelNorm bn1_;
  Conv2d conv2_;
  ChannelNorm bn2_;
};

class Bottleneck final : public ResNetBlock {
 public:
  static constexpr int64_t kExpansion = 4;

  Bottleneck(Layer& parent, std::string name, const BlockOptions& options)
      : Bottleneck(parent, std::move(name), options,
                   options.planes * options.width_per_group / 64 * options.groups) {}

 private:
  Bottleneck(Layer& parent, std::string name, const BlockOptions& options, int64_t width)
      : ResNetBlock(parent, std::move(name)),
        conv1_(*this, "conv1", {.in = options.in, .out = width, .kernel = 1}),
        bn1_(*this, "bn1", {.channels = width, .frozen = options.frozen_norms},
             options.norm_groups),
        conv2_(*this, "conv2",
               {.in = width,
                .out = width,
                .kernel = 3,
                .stride = options.stride,
                .padding = options.dilation,
                .dilation = options.dilation,
                .groups = options.groups}),
        bn2_(*this, "bn2", {.channels = width, .frozen = options.frozen_norms},
             options.norm_groups),
        conv3_(*this, "conv3", {.in = width, .out = options.planes * kExpansion, .kernel = 1}),
        bn3_(*this, "bn3",
             {.channels = options.planes * kExpansion,
              .gain = kResNetBranchGain,
              .frozen = options.frozen_norms},
             options.norm_groups) {
    AddDownsample(options, options.planes * kExpansion);
  }

  at::Tensor Branch(const at::Tensor& x) override {
    at::Tensor out = conv1_.Forward(x);
    out = bn1_.Forward(out).relu_();
    out = conv2_.Forward(out);
    out = bn2_.Forward(out).relu_();
    out = conv3_.Forward(out);
    return bn3_.Forward(out);
  }

  Conv2d conv1_;
  ChannelNorm bn1_;
  Conv2d conv2_;
  ChannelNorm bn2_;
  Conv2d conv3_;
  ChannelNorm bn3_;
};

}  // namespace

ChannelNorm::ChannelNorm(Layer& parent, const std::string& name, const BatchNorm2dOptions& options,
                         int64_t groups) {
  if (groups > 0) {
    group_.emplace(
        parent, name,
        GroupNormOptions{.groups = groups, .channels = options.channels, .gain = options.gain});
  } else {
    batch_.emplace(parent, name, options);
  }
}

ResNetBackbone::ResNetBackbone(Layer& parent, const std::string& prefix,
                               const ResNetBackboneOptions& options)
    : conv1_(parent, prefix + "conv1",
             {.in = 3, .out = kStemChannels, .kernel = 7, .stride = 2, .padding = 3}),
      bn1_(parent, prefix + "bn1", {.channels = kStemChannels, .frozen = options.frozen_norms},
           options.norm_groups),
      high_channels_(kStemChannels) {
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
                                  .frozen_norms = options.frozen_norms,
                                  .norm_groups = options.norm_groups};
      const std::string name = absl::StrCat(prefix, "layer", stage + 1, ".", i);
      if (options.bottleneck) {
        blocks.push_back(std::make_unique<Bottleneck>(parent, name, block));
        high_channels_ = block.planes * Bottleneck::kExpansion;
      } else {
        blocks.push_back(std::make_unique<BasicBlock>(parent, name, block));
        high_channels_ = block.planes;
      }
      // From the second block on: the first one keeps the dilation of the stage before.
      if (dilates && i == 0) dilation *= 2;
    }
  }
}

ResNetBackbone::~ResNetBackbone() = default;

at::Tensor ResNetBackbone::Stem(const at::Tensor& image) {
  at::Tensor x = conv1_.Forward(image);
  x = bn1_.Forward(x).relu_();
  return at::max_pool2d(x, /*kernel_size=*/{3, 3}, /*stride=*/{2, 2}, /*padding=*/{1, 1});
}

at::Tensor ResNetBackbone::Stage(size_t stage, at::Tensor x) {
  for (const std::unique_ptr<ResNetBlock>& block : stages_[stage]) x = block->Forward(x);
  return x;
}

std::vector<at::Tensor> ResNetBackbone::Stages(const at::Tensor& image) {
  std::vector<at::Tensor> features = {Stage(0, Stem(image))};
  while (features.size() < stages_.size())
    features.push_back(Stage(features.size(), features.back()));
  return features;
}

at::Tensor ResNetBackbone::Low(const at::Tensor& image) {
  at::Tensor x = Stem(image);
  for (size_t stage = 0; stage + 1 < stages_.size(); ++stage) x = Stage(stage, std::move(x));
  return x;
}

at::Tensor ResNetBackbone::High(at::Tensor low) {
  return Stage(stages_.size() - 1, std::move(low));
}

}  // namespace assay::models
