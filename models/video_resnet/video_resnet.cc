// ResNets of videos as torchvision builds them (torchvision/models/video/resnet.py): R3D convolves over
// time and space at once, MC3 does so in the first stage and over space alone behind it, and R(2+1)D
// over space and then over time. Tensor names, order and shapes are torchvision's, so its checkpoints
// fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/adaptive_avg_pool3d.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/vision/conv3d.h"
#include "models/layers/vision/image_input.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr int64_t kStages = 4;
constexpr int64_t kStemChannels = 64;
constexpr int64_t kSplitStemChannels = 45;  // of R(2+1)D, between space and time
constexpr int64_t kMinimumPixels = 16;      // what the image is divided by
// Factor on the scale of the last norm of each branch, as resnet_backbone.cc has it and says why.
constexpr double kBranchGain = 0.3;

enum class Kind { kTogether, kSpace, kSplit };  // how a block convolves

struct BlockOptions {
  Kind kind;
  int64_t in;
  int64_t out;
  int64_t stride;

  FramesPixels steps() const { return {kind == Kind::kSpace ? 1 : stride, stride}; }
  // Channels between space and time, so that there are as many weights as in a cube.
  int64_t between() const { return in * out * 27 / (in * 9 + 3 * out); }
};

// A convolution of a block with its norm: "<name>.0" and "<name>.1".
class BlockConvolution final {
 public:
  BlockConvolution(Layer& parent, const std::string& name, const BlockOptions& options, bool last) {
    const int64_t in = last ? options.out : options.in;
    const FramesPixels steps = last ? 1 : options.steps();
    const BatchNorm3dOptions norm = {.channels = options.out, .gain = last ? kBranchGain : 1};
    const ConvNorm3dNames names = {name + ".0", name + ".1"};
    if (options.kind != Kind::kSplit) {
      Add(parent, names,
          {.in = in,
           .out = options.out,
           .kernel = {options.kind == Kind::kSpace ? 1 : 3, 3},
           .stride = steps},
          norm, !last);
      return;
    }
    Add(parent, {name + ".0.0", name + ".0.1"},
        {.in = in, .out = options.between(), .kernel = {1, 3}, .stride = {1, steps.pixels}}, {},
        true);
    Add(parent, {name + ".0.3", name + ".1"},
        {.in = options.between(),
         .out = options.out,
         .kernel = {3, 1},
         .stride = {steps.frames, 1}},
        norm, !last);
  }

  at::Tensor Forward(at::Tensor x) {
    for (const std::unique_ptr<ConvNorm3d>& conv : convolutions_) x = conv->Forward(x);
    return x;
  }

 private:
  void Add(Layer& parent, const ConvNorm3dNames& names, const Conv3dOptions& conv,
           const BatchNorm3dOptions& norm, bool relu) {
    convolutions_.push_back(std::make_unique<ConvNorm3d>(parent, names, conv, norm, relu));
  }

  std::vector<std::unique_ptr<ConvNorm3d>> convolutions_;
};

class Block final : public Layer {
 public:
  Block(Layer& parent, std::string name, const BlockOptions& options)
      : Layer(parent, std::move(name)),
        first_(*this, "conv1", options, /*last=*/false),
        second_(*this, "conv2", options, /*last=*/true) {
    if (options.in == options.out) return;  // such a block has no stride
    shortcut_ = std::make_unique<ConvNorm3d>(
        *this, ConvNorm3dNames{"downsample.0", "downsample.1"},
        Conv3dOptions{.in = options.in, .out = options.out, .stride = options.steps()},
        BatchNorm3dOptions{}, /*relu=*/false);
  }

  at::Tensor Forward(const at::Tensor& x) {
    at::Tensor y = second_.Forward(first_.Forward(x));
    return y.add_(shortcut_ ? shortcut_->Forward(x) : x).relu_();
  }

 private:
  BlockConvolution first_;
  BlockConvolution second_;
  std::unique_ptr<ConvNorm3d> shortcut_;
};

class VideoResNet final : public LayeredModel {
 public:
  // The first stage is of one kind, the others are of `rest`.
  VideoResNet(Kind first, Kind rest, const std::vector<int64_t>& layers, int64_t num_classes) {
    if (first == Kind::kSplit) {
      AddStem({"stem.0", "stem.1"},
              {.in = 3, .out = kSplitStemChannels, .kernel = {1, 7}, .stride = {1, 2}});
      AddStem({"stem.3", "stem.4"},
              {.in = kSplitStemChannels, .out = kStemChannels, .kernel = {3, 1}});
    } else {
      AddStem({"stem.0", "stem.1"},
              {.in = 3, .out = kStemChannels, .kernel = {3, 7}, .stride = {1, 2}});
    }
    int64_t channels = kStemChannels;
    for (int64_t stage = 0; stage < kStages; ++stage) {
      const int64_t out = kStemChannels << stage;
      for (int64_t i = 0; i < layers[stage]; ++i) {
        blocks_.push_back(
            std::make_unique<Block>(*this, absl::StrCat("layer", stage + 1, ".", i),
                                    BlockOptions{.kind = stage == 0 ? first : rest,
                                                 .in = channels,
                                                 .out = out,
                                                 .stride = stage > 0 && i == 0 ? 2 : 1}));
        channels = out;
      }
    }
    fc_ = std::make_unique<Linear>(*this, "fc", LinearOptions{.in = channels, .out = num_classes});
  }

  // Videos (N, 3, T, H, W) -> logits (N, num_classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckVideo(inputs[0], "video_resnet", 1, {.minimum = kMinimumPixels});
    at::Tensor x = inputs[0];
    for (const std::unique_ptr<ConvNorm3d>& conv : stem_) x = conv->Forward(x);
    for (const std::unique_ptr<Block>& block : blocks_) x = block->Forward(x);
    return {fc_->Forward(at::adaptive_avg_pool3d(x, {1, 1, 1}).flatten(1))};
  }

 private:
  void AddStem(const ConvNorm3dNames& names, const Conv3dOptions& conv) {
    stem_.push_back(std::make_unique<ConvNorm3d>(*this, names, conv));
  }

  std::vector<std::unique_ptr<ConvNorm3d>> stem_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::unique_ptr<Linear> fc_;
};

ASSAY_MODEL_IMPLEMENTATION(
    "video_resnet", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const absl::Status status = CheckBlocks("video_resnet", parameters, kStages);
      if (!status.ok()) return status;
      const std::vector<int64_t>& layers = parameters.Integers("layers");
      const std::string& architecture = parameters.Text("architecture");
      const Kind first = architecture == "r2plus1d" ? Kind::kSplit : Kind::kTogether;
      return std::make_unique<VideoResNet>(first, architecture == "mc3" ? Kind::kSpace : first,
                                           layers, parameters.Integer("num_classes"));
    });

}  // namespace
}  // namespace assay::models
