// GoogLeNet (Inception v1 with batch norm) as torchvision builds it without weights of its own
// (torchvision/models/googlenet.py: auxiliary heads, the image as it is given). Tensor names, order
// and shapes are torchvision's, so its checkpoints fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/max_pool2d.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/vision/auxiliary_loss.h"
#include "models/layers/vision/conv_norm_activation.h"
#include "models/layers/vision/image_input.h"
#include "models/layers/vision/parallel_branches.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

constexpr int64_t kMinimumPixels = 15;
constexpr double kDropout = 0.2;
constexpr double kAuxiliaryDropout = 0.7;
// Szegedy et al., Going Deeper with Convolutions, 2014, section 5.
constexpr double kAuxiliaryWeight = 0.3;

// Channels of a block: of its 1x1 branch, in front of and behind the 3x3 of the next two, and behind
// the pooling. Named as in the paper's table; the "5x5" convolution is a 3x3 one in torchvision.
struct Widths {
  const char* name;
  int64_t in;
  int64_t of_1x1;
  int64_t before_3x3;
  int64_t of_3x3;
  int64_t before_5x5;
  int64_t of_5x5;
  int64_t of_pool;
};

constexpr Widths kBlocks[] = {
    {"inception3a", 192, 64, 96, 128, 16, 32, 32},
    {"inception3b", 256, 128, 128, 192, 32, 96, 64},
    {"inception4a", 480, 192, 96, 208, 16, 48, 64},
    {"inception4b", 512, 160, 112, 224, 24, 64, 64},
    {"inception4c", 512, 128, 128, 256, 24, 64, 64},
    {"inception4d", 512, 112, 144, 288, 32, 64, 64},
    {"inception4e", 528, 256, 160, 320, 32, 128, 128},
    {"inception5a", 832, 256, 160, 320, 32, 128, 128},
    {"inception5b", 832, 384, 192, 384, 48, 128, 128},
};
// Numbers of blocks: behind these the image is halved, by pooling over so many pixels; behind those
// an auxiliary head stands.
constexpr size_t kFirstPooling = 1, kSecondPooling = 6;
constexpr size_t kFirstAuxiliary = 2, kSecondAuxiliary = 5;

at::Tensor Halved(const at::Tensor& x, int64_t pixels) {
  return at::max_pool2d(x, {pixels, pixels}, {2, 2}, /*padding=*/{0, 0}, /*dilation=*/{1, 1},
                        /*ceil_mode=*/true);
}

// Logits from the middle of the network, for the loss in training.
class AuxiliaryHead final : public Layer {
 public:
  AuxiliaryHead(Layer& parent, std::string name, int64_t in, int64_t num_classes)
      : Layer(parent, std::move(name)),
        conv_(MakeBranchConvolution(*this, in, {"conv", 128})),
        fc1_(*this, "fc1", {.in = 128 * 4 * 4, .out = 1024}),
        fc2_(*this, "fc2", {.in = 1024, .out = num_classes}) {}

  at::Tensor Forward(const at::Tensor& x) {
    const at::Tensor pooled = conv_->Forward(at::adaptive_avg_pool2d(x, {4, 4})).flatten(1);
    return fc2_.Forward(dropout_.Forward(fc1_.Forward(pooled).relu_()));
  }

 private:
  std::unique_ptr<ConvNormActivation> conv_;
  Linear fc1_;
  Linear fc2_;
  Dropout dropout_{*this, kAuxiliaryDropout};
};

class GoogLeNet final : public LayeredModel, public Trainable {
 public:
  explicit GoogLeNet(int64_t num_classes)
      : conv1_(*this, {"conv1.conv", "conv1.bn"},
               {.in = 3, .out = 64, .kernel = 7, .stride = 2, .eps = 1e-3}),
        conv2_(MakeBranchConvolution(*this, 64, {"conv2", 64})),
        conv3_(MakeBranchConvolution(*this, 64, {"conv3", 192, 3})),
        blocks_(MakeBlocks()),
        aux1_(*this, "aux1", kBlocks[kFirstAuxiliary + 1].in, num_classes),
        aux2_(*this, "aux2", kBlocks[kSecondAuxiliary + 1].in, num_classes),
        fc_(*this, "fc", {.in = 1024, .out = num_classes}) {}

  // Images (N, 3, H, W) -> logits (N, num_classes); in training also those of the second and of the
  // first auxiliary head.
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], "googlenet", {.minimum = kMinimumPixels});
    at::Tensor x = Halved(conv1_.Forward(inputs[0]), 3);
    x = Halved(conv3_->Forward(conv2_->Forward(x)), 3);
    at::Tensor first, second;
    for (size_t i = 0; i < blocks_.size(); ++i) {
      x = blocks_[i]->Forward(x);
      if (i == kFirstPooling) x = Halved(x, 3);
      if (i == kSecondPooling) x = Halved(x, 2);
      if (training() && i == kFirstAuxiliary) first = aux1_.Forward(x);
      if (training() && i == kSecondAuxiliary) second = aux2_.Forward(x);
    }
    x = dropout_.Forward(at::adaptive_avg_pool2d(x, {1, 1}).flatten(1));
    at::Tensor logits = fc_.Forward(x);
    if (!training()) return {logits};
    return {logits, second, first};
  }

  // Forward's outputs in training, labels int64 (N).
  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets) override {
    return AuxiliaryLoss(outputs, targets[0], kAuxiliaryWeight);
  }

 private:
  std::vector<std::unique_ptr<ParallelBranches>> MakeBlocks() {
    std::vector<std::unique_ptr<ParallelBranches>> blocks;
    for (const Widths& widths : kBlocks) {
      blocks.push_back(std::make_unique<ParallelBranches>(
          *this, widths.name, widths.in,
          std::vector<Branch>{
              {.chain = {{"branch1", widths.of_1x1}}},
              {.chain = {{"branch2.0", widths.before_3x3}, {"branch2.1", widths.of_3x3, 3}}},
              {.chain = {{"branch3.0", widths.before_5x5}, {"branch3.1", widths.of_5x5, 3}}},
              {.pool = BranchPool::kMaximum, .chain = {{"branch4.1", widths.of_pool}}}}));
    }
    return blocks;
  }

  ConvNormActivation conv1_;
  std::unique_ptr<ConvNormActivation> conv2_;
  std::unique_ptr<ConvNormActivation> conv3_;
  std::vector<std::unique_ptr<ParallelBranches>> blocks_;
  AuxiliaryHead aux1_;
  AuxiliaryHead aux2_;
  Linear fc_;
  Dropout dropout_{*this, kDropout};
};

ASSAY_MODEL_IMPLEMENTATION(
    "googlenet", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      return std::make_unique<GoogLeNet>(parameters.Integer("num_classes"));
    });

}  // namespace
}  // namespace assay::models
