// Inception v3 as torchvision builds it without weights of its own (torchvision/models/inception.py:
// an auxiliary head, the image as it is given). Tensor names, order and shapes are torchvision's, so
// its checkpoints fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/avg_pool2d.h>
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

constexpr int64_t kMinimumPixels = 75;
constexpr int64_t kMinimumPixelsInTraining = 299;  // for the auxiliary head's last convolution
constexpr double kDropout = 0.5;
constexpr double kAuxiliaryWeight = 0.4;  // as TensorFlow's research models train it

const Extent kRow = {1, 7};
const Extent kColumn = {7, 1};

// The blocks, by the letters that torchvision gives them.

std::vector<Branch> A(int64_t of_pool) {
  return {{.chain = {{"branch1x1", 64}}},
          {.chain = {{"branch5x5_1", 48}, {"branch5x5_2", 64, 5}}},
          {.chain = {{"branch3x3dbl_1", 64}, {"branch3x3dbl_2", 96, 3}, {"branch3x3dbl_3", 96, 3}}},
          {.pool = BranchPool::kAverage, .chain = {{"branch_pool", of_pool}}}};
}

std::vector<Branch> B() {
  return {{.chain = {{"branch3x3", 384, 3, 2, false}}},
          {.chain = {{"branch3x3dbl_1", 64},
                     {"branch3x3dbl_2", 96, 3},
                     {"branch3x3dbl_3", 96, 3, 2, false}}},
          {.pool = BranchPool::kHalvingMaximum}};
}

std::vector<Branch> C(int64_t width) {
  return {{.chain = {{"branch1x1", 192}}},
          {.chain = {{"branch7x7_1", width},
                     {"branch7x7_2", width, kRow},
                     {"branch7x7_3", 192, kColumn}}},
          {.chain = {{"branch7x7dbl_1", width},
                     {"branch7x7dbl_2", width, kColumn},
                     {"branch7x7dbl_3", width, kRow},
                     {"branch7x7dbl_4", width, kColumn},
                     {"branch7x7dbl_5", 192, kRow}}},
          {.pool = BranchPool::kAverage, .chain = {{"branch_pool", 192}}}};
}

std::vector<Branch> D() {
  return {{.chain = {{"branch3x3_1", 192}, {"branch3x3_2", 320, 3, 2, false}}},
          {.chain = {{"branch7x7x3_1", 192},
                     {"branch7x7x3_2", 192, kRow},
                     {"branch7x7x3_3", 192, kColumn},
                     {"branch7x7x3_4", 192, 3, 2, false}}},
          {.pool = BranchPool::kHalvingMaximum}};
}

std::vector<Branch> E() {
  return {{.chain = {{"branch1x1", 320}}},
          {.chain = {{"branch3x3_1", 384}},
           .ends = {{"branch3x3_2a", 384, {1, 3}}, {"branch3x3_2b", 384, {3, 1}}}},
          {.chain = {{"branch3x3dbl_1", 448}, {"branch3x3dbl_2", 384, 3}},
           .ends = {{"branch3x3dbl_3a", 384, {1, 3}}, {"branch3x3dbl_3b", 384, {3, 1}}}},
          {.pool = BranchPool::kAverage, .chain = {{"branch_pool", 192}}}};
}

// Logits from the middle of the network, for the loss in training.
class AuxiliaryHead final : public Layer {
 public:
  AuxiliaryHead(Layer& parent, int64_t in, int64_t num_classes)
      : Layer(parent, "AuxLogits"),
        conv0_(MakeBranchConvolution(*this, in, {"conv0", 128})),
        conv1_(MakeBranchConvolution(*this, 128, {"conv1", 768, 5, 1, false})),
        fc_(*this, "fc", {.in = 768, .out = num_classes}) {}

  at::Tensor Forward(const at::Tensor& x) {
    const at::Tensor y = conv1_->Forward(conv0_->Forward(at::avg_pool2d(x, {5, 5}, {3, 3})));
    return fc_.Forward(at::adaptive_avg_pool2d(y, {1, 1}).flatten(1));
  }

 private:
  std::unique_ptr<ConvNormActivation> conv0_;
  std::unique_ptr<ConvNormActivation> conv1_;
  Linear fc_;
};

class InceptionV3 final : public LayeredModel, public Trainable {
 public:
  explicit InceptionV3(int64_t num_classes) {
    Add(stem_, 3, {"Conv2d_1a_3x3", 32, 3, 2, false});
    Add(stem_, 32, {"Conv2d_2a_3x3", 32, 3, 1, false});
    Add(stem_, 32, {"Conv2d_2b_3x3", 64, 3});
    Add(behind_pool_, 64, {"Conv2d_3b_1x1", 80});
    Add(behind_pool_, 80, {"Conv2d_4a_3x3", 192, 3, 1, false});
    int64_t in = 192;
    for (auto& [name, branches] :
         std::vector<std::pair<std::string, std::vector<Branch>>>{{"Mixed_5b", A(32)},
                                                                  {"Mixed_5c", A(64)},
                                                                  {"Mixed_5d", A(64)},
                                                                  {"Mixed_6a", B()},
                                                                  {"Mixed_6b", C(128)},
                                                                  {"Mixed_6c", C(160)},
                                                                  {"Mixed_6d", C(160)},
                                                                  {"Mixed_6e", C(192)},
                                                                  {"Mixed_7a", D()},
                                                                  {"Mixed_7b", E()},
                                                                  {"Mixed_7c", E()}}) {
      if (name == "Mixed_7a") auxiliary_ = std::make_unique<AuxiliaryHead>(*this, in, num_classes);
      blocks_.push_back(std::make_unique<ParallelBranches>(*this, name, in, branches));
      in = blocks_.back()->out();
      if (!auxiliary_) ++before_auxiliary_;
    }
    fc_ = std::make_unique<Linear>(*this, "fc", LinearOptions{.in = in, .out = num_classes});
  }

  // Images (N, 3, H, W) -> logits (N, num_classes); in training also those of the auxiliary head.
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], "inception_v3",
               {.minimum = training() ? kMinimumPixelsInTraining : kMinimumPixels});
    at::Tensor x = inputs[0];
    for (const auto& convolution : stem_) x = convolution->Forward(x);
    x = at::max_pool2d(x, {3, 3}, {2, 2});
    for (const auto& convolution : behind_pool_) x = convolution->Forward(x);
    x = at::max_pool2d(x, {3, 3}, {2, 2});
    at::Tensor auxiliary;
    for (size_t i = 0; i < blocks_.size(); ++i) {
      if (training() && i == before_auxiliary_) auxiliary = auxiliary_->Forward(x);
      x = blocks_[i]->Forward(x);
    }
    x = dropout_.Forward(at::adaptive_avg_pool2d(x, {1, 1}).flatten(1));
    at::Tensor logits = fc_->Forward(x);
    if (!training()) return {logits};
    return {logits, auxiliary};
  }

  // Forward's outputs in training, labels int64 (N).
  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets) override {
    return AuxiliaryLoss(outputs, targets[0], kAuxiliaryWeight);
  }

 private:
  using Convolutions = std::vector<std::unique_ptr<ConvNormActivation>>;

  void Add(Convolutions& convolutions, int64_t in, const BranchConvolution& convolution) {
    convolutions.push_back(MakeBranchConvolution(*this, in, convolution));
  }

  Convolutions stem_;
  Convolutions behind_pool_;
  std::vector<std::unique_ptr<ParallelBranches>> blocks_;
  size_t before_auxiliary_ = 0;  // blocks
  std::unique_ptr<AuxiliaryHead> auxiliary_;
  std::unique_ptr<Linear> fc_;
  Dropout dropout_{*this, kDropout};
};

ASSAY_MODEL_IMPLEMENTATION(
    "inception_v3", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      return std::make_unique<InceptionV3>(parameters.Integer("num_classes"));
    });

}  // namespace
}  // namespace assay::models
