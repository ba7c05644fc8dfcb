// S3D as torchvision builds it (torchvision/models/video/s3d.py): an Inception network of videos whose
// convolutions go over space and then over time. Tensor names, order and shapes are torchvision's, so
// its checkpoints fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/avg_pool3d.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/max_pool3d.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/vision/conv3d.h"
#include "models/layers/vision/image_input.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

// A smaller video has fewer than 2 frames of 7 x 7 behind the last pooling.
constexpr int64_t kMinimumFrames = 13;
constexpr int64_t kMinimumPixels = 209;
constexpr int64_t kFeatures = 1024;
constexpr double kDropout = 0.2;
constexpr double kEps = 1e-3;
constexpr double kMomentum = 1e-3;
// Factor on the weights' recipe, for the reason that parallel_branches.cc gives.
constexpr double kGain = 1.2;

// Channels of a block: of its 1x1 branch, in front of and behind the separable convolutions of the
// next two, and behind the pooling. `number` is its place among torchvision's features.
struct Widths {
  int number;
  int64_t in;
  int64_t of_1x1;
  int64_t before_first;
  int64_t of_first;
  int64_t before_second;
  int64_t of_second;
  int64_t of_pool;
};

constexpr Widths kBlocks[] = {
    {5, 192, 64, 96, 128, 16, 32, 32},      {6, 256, 128, 128, 192, 32, 96, 64},
    {8, 480, 192, 96, 208, 16, 48, 64},     {9, 512, 160, 112, 224, 24, 64, 64},
    {10, 512, 128, 128, 256, 24, 64, 64},   {11, 512, 112, 144, 288, 32, 64, 64},
    {12, 528, 256, 160, 320, 32, 128, 128}, {14, 832, 256, 160, 320, 32, 128, 128},
    {15, 832, 384, 192, 384, 48, 128, 128},
};
// Two blocks are followed by a pooling over 3 or over 2 that halves the video.
constexpr int kFirstHalving = 6, kSecondHalving = 12;

// Largest values, padded so that a stride of 1 keeps the size; a kernel of 2 is not padded.
at::Tensor Largest(const at::Tensor& x, FramesPixels kernel, FramesPixels stride) {
  const int64_t frames = (kernel.frames - 1) / 2, pixels = (kernel.pixels - 1) / 2;
  return at::max_pool3d(x, {kernel.frames, kernel.pixels, kernel.pixels},
                        {stride.frames, stride.pixels, stride.pixels}, {frames, pixels, pixels});
}

// Convolutions one behind the other, each with its norm and a ReLU.
class Chain final {
 public:
  // Over frames and pixels at once: "<name>.0" and "<name>.1".
  void Add(Layer& parent, const std::string& name, Conv3dOptions conv) {
    conv.gain = kGain;
    convolutions_.push_back(std::make_unique<ConvNorm3d>(
        parent, ConvNorm3dNames{name + ".0", name + ".1"}, conv,
        BatchNorm3dOptions{.channels = conv.out, .eps = kEps, .momentum = kMomentum}));
  }

  // Over pixels and then over frames.
  void AddSeparable(Layer& parent, const std::string& name, int64_t in, int64_t out, int64_t kernel,
                    int64_t stride = 1) {
    Add(parent, name + ".0", {.in = in, .out = out, .kernel = {1, kernel}, .stride = {1, stride}});
    Add(parent, name + ".1", {.in = out, .out = out, .kernel = {kernel, 1}, .stride = {stride, 1}});
  }

  at::Tensor Forward(at::Tensor x) {
    for (const std::unique_ptr<ConvNorm3d>& conv : convolutions_) x = conv->Forward(x);
    return x;
  }

 private:
  std::vector<std::unique_ptr<ConvNorm3d>> convolutions_;
};

class Block final : public Layer {
 public:
  Block(Layer& parent, const Widths& widths)
      : Layer(parent, absl::StrCat("features.", widths.number)) {
    branches_[0].Add(*this, "branch0", {.in = widths.in, .out = widths.of_1x1});
    branches_[1].Add(*this, "branch1.0", {.in = widths.in, .out = widths.before_first});
    branches_[1].AddSeparable(*this, "branch1.1", widths.before_first, widths.of_first, 3);
    branches_[2].Add(*this, "branch2.0", {.in = widths.in, .out = widths.before_second});
    branches_[2].AddSeparable(*this, "branch2.1", widths.before_second, widths.of_second, 3);
    branches_[3].Add(*this, "branch3.1", {.in = widths.in, .out = widths.of_pool});
  }

  at::Tensor Forward(const at::Tensor& x) {
    return at::concat({branches_[0].Forward(x), branches_[1].Forward(x), branches_[2].Forward(x),
                       branches_[3].Forward(Largest(x, 3, 1))},
                      1);
  }

 private:
  Chain branches_[4];
};

class S3d final : public LayeredModel {
 public:
  explicit S3d(int64_t num_classes) {
    first_.AddSeparable(*this, "features.0", 3, 64, 7, 2);
    second_.Add(*this, "features.2", {.in = 64, .out = 64});
    second_.AddSeparable(*this, "features.3", 64, 192, 3);
    for (const Widths& widths : kBlocks) blocks_.push_back(std::make_unique<Block>(*this, widths));
    scores_ = std::make_unique<Conv3d>(
        *this, "classifier.1", Conv3dOptions{.in = kFeatures, .out = num_classes, .bias = true});
  }

  // Videos (N, 3, T, H, W) -> logits (N, num_classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckVideo(inputs[0], "s3d", kMinimumFrames, {.minimum = kMinimumPixels});
    at::Tensor x = Largest(first_.Forward(inputs[0]), {1, 3}, {1, 2});
    x = Largest(second_.Forward(x), {1, 3}, {1, 2});
    for (size_t i = 0; i < blocks_.size(); ++i) {
      x = blocks_[i]->Forward(x);
      if (kBlocks[i].number == kFirstHalving) x = Largest(x, 3, 2);
      if (kBlocks[i].number == kSecondHalving) x = Largest(x, 2, 2);
    }
    x = at::avg_pool3d(x, {2, 7, 7}, {1, 1, 1});
    return {scores_->Forward(dropout_.Forward(x)).mean({2, 3, 4})};
  }

 private:
  Chain first_;
  Chain second_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::unique_ptr<Conv3d> scores_;
  Dropout dropout_{*this, kDropout};
};

ASSAY_MODEL_IMPLEMENTATION(
    "s3d", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      return std::make_unique<S3d>(parameters.Integer("num_classes"));
    });

}  // namespace
}  // namespace assay::models
