// ResNet, ResNeXt and Wide ResNet as torchvision builds them (torchvision/models/resnet.py: version
// 1.5, the stride of a bottleneck is on its 3x3 convolution). Tensor names, order and shapes are
// torchvision's, so its checkpoints fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/max_pool2d.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/batch_norm2d.h"
#include "models/layers/conv2d.h"
#include "models/layers/layered_model.h"
#include "models/layers/linear.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

// Factor on the scale of the last norm of each residual branch. Without it every block adds its
// branch at full size and the output's standard deviation grows to 799 over resnet152's 50 blocks.
constexpr double kBranchGain = 0.3;

constexpr int64_t kStemChannels = 64;

struct BlockOptions {
  int64_t in;
  int64_t planes;  // the stage's width before expansion
  int64_t stride;
  int64_t groups;
  int64_t width_per_group;
};

// Brings a block's input to the shape of its branch.
class Downsample final : public Layer {
 public:
  Downsample(Layer& parent, int64_t in, int64_t out, int64_t stride)
      : Layer(parent, "downsample"),
        conv_(*this, "0", {.in = in, .out = out, .kernel = 1, .stride = stride}),
        norm_(*this, "1", {.channels = out}) {}

  at::Tensor Forward(const at::Tensor& x) { return norm_.Forward(conv_.Forward(x)); }

 private:
  Conv2d conv_;
  BatchNorm2d norm_;
};

class Block : public Layer {
 public:
  using Layer::Layer;

  at::Tensor Forward(const at::Tensor& x) {
    at::Tensor out = Branch(x);
    return out.add_(downsample_ ? downsample_->Forward(x) : x).relu_();
  }

 protected:
  // To be called last in a constructor: torchvision registers the downsampling after the branch.
  void AddDownsample(const BlockOptions& options, int64_t out) {
    if (options.stride == 1 && options.in == out) return;
    downsample_ = std::make_unique<Downsample>(*this, options.in, out, options.stride);
  }

 private:
  virtual at::Tensor Branch(const at::Tensor& x) = 0;

  std::unique_ptr<Downsample> downsample_;
};

class BasicBlock final : public Block {
 public:
  static constexpr int64_t kExpansion = 1;

  BasicBlock(Layer& parent, std::string name, const BlockOptions& options)
      : Block(parent, std::move(name)),
        conv1_(*this, "conv1",
               {.in = options.in,
                .out = options.planes,
                .kernel = 3,
                .stride = options.stride,
                .padding = 1}),
        bn1_(*this, "bn1", {.channels = options.planes}),
        conv2_(*this, "conv2",
               {.in = options.planes, .out = options.planes, .kernel = 3, .padding = 1}),
        bn2_(*this, "bn2", {.channels = options.planes, .gain = kBranchGain}) {
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
  BatchNorm2d bn1_;
  Conv2d conv2_;
  BatchNorm2d bn2_;
};

class Bottleneck final : public Block {
 public:
  static constexpr int64_t kExpansion = 4;

  Bottleneck(Layer& parent, std::string name, const BlockOptions& options)
      : Bottleneck(parent, std::move(name), options,
                   options.planes * options.width_per_group / 64 * options.groups) {}

 private:
  Bottleneck(Layer& parent, std::string name, const BlockOptions& options, int64_t width)
      : Block(parent, std::move(name)),
        conv1_(*this, "conv1", {.in = options.in, .out = width, .kernel = 1}),
        bn1_(*this, "bn1", {.channels = width}),
        conv2_(*this, "conv2",
               {.in = width,
                .out = width,
                .kernel = 3,
                .stride = options.stride,
                .padding = 1,
                .groups = options.groups}),
        bn2_(*this, "bn2", {.channels = width}),
        conv3_(*this, "conv3", {.in = width, .out = options.planes * kExpansion, .kernel = 1}),
        bn3_(*this, "bn3", {.channels = options.planes * kExpansion, .gain = kBranchGain}) {
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
  BatchNorm2d bn1_;
  Conv2d conv2_;
  BatchNorm2d bn2_;
  Conv2d conv3_;
  BatchNorm2d bn3_;
};

struct ResNetOptions {
  bool bottleneck;
  std::vector<int64_t> layers;  // blocks in each of the four stages
  int64_t groups;
  int64_t width_per_group;
  int64_t num_classes;

  int64_t expansion() const { return bottleneck ? Bottleneck::kExpansion : BasicBlock::kExpansion; }
};

class ResNet final : public LayeredModel {
 public:
  explicit ResNet(const ResNetOptions& options)
      : conv1_(*this, "conv1",
               {.in = 3, .out = kStemChannels, .kernel = 7, .stride = 2, .padding = 3}),
        bn1_(*this, "bn1", {.channels = kStemChannels}),
        blocks_(MakeBlocks(options)),
        fc_(*this, "fc", {.in = 512 * options.expansion(), .out = options.num_classes}) {}

  // Images (N, 3, H, W) -> logits (N, num_classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    at::Tensor x = conv1_.Forward(inputs[0]);
    x = bn1_.Forward(x).relu_();
    x = at::max_pool2d(x, /*kernel_size=*/{3, 3}, /*stride=*/{2, 2}, /*padding=*/{1, 1});
    for (const std::unique_ptr<Block>& block : blocks_) x = block->Forward(x);
    return {fc_.Forward(at::adaptive_avg_pool2d(x, {1, 1}).flatten(1))};
  }

 private:
  std::vector<std::unique_ptr<Block>> MakeBlocks(const ResNetOptions& options) {
    std::vector<std::unique_ptr<Block>> blocks;
    int64_t in = kStemChannels;
    for (int stage = 0; stage < 4; ++stage) {
      for (int64_t i = 0; i < options.layers[stage]; ++i) {
        const BlockOptions block = {.in = in,
                                    .planes = int64_t{64} << stage,
                                    .stride = stage > 0 && i == 0 ? 2 : 1,
                                    .groups = options.groups,
                                    .width_per_group = options.width_per_group};
        const std::string name = absl::StrCat("layer", stage + 1, ".", i);
        if (options.bottleneck) {
          blocks.push_back(std::make_unique<Bottleneck>(*this, name, block));
        } else {
          blocks.push_back(std::make_unique<BasicBlock>(*this, name, block));
        }
        in = block.planes * options.expansion();
      }
    }
    return blocks;
  }

  Conv2d conv1_;
  BatchNorm2d bn1_;
  std::vector<std::unique_ptr<Block>> blocks_;
  Linear fc_;
};

// What the specs of single parameters cannot say.
absl::Status Check(const ResNetOptions& options) {
  if (options.layers.size() != 4) {
    return absl::InvalidArgumentError(absl::StrCat("resnet: layers has ", options.layers.size(),
                                                   " numbers; want 4, one for each stage"));
  }
  for (const int64_t blocks : options.layers) {
    if (blocks < 1) return absl::InvalidArgumentError("resnet: each stage needs a block");
  }
  if (!options.bottleneck && (options.groups != 1 || options.width_per_group != 64)) {
    return absl::InvalidArgumentError(
        absl::StrCat("resnet: block \"basic\" has groups 1 and width_per_group 64, not ",
                     options.groups, " and ", options.width_per_group, "; use \"bottleneck\""));
  }
  return absl::OkStatus();
}

ASSAY_MODEL_IMPLEMENTATION(
    "resnet", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const ResNetOptions options = {.bottleneck = parameters.Text("block") == "bottleneck",
                                     .layers = parameters.Integers("layers"),
                                     .groups = parameters.Integer("groups"),
                                     .width_per_group = parameters.Integer("width_per_group"),
                                     .num_classes = parameters.Integer("num_classes")};
      if (absl::Status status = Check(options); !status.ok()) return status;
      return std::make_unique<ResNet>(options);
    });

}  // namespace
}  // namespace assay::models
