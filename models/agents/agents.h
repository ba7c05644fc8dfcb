#ifndef ASSAY_MODELS_AGENTS_AGENTS_H_
#define ASSAY_MODELS_AGENTS_AGENTS_H_

// ---------------------------------------------------------------------------------------------
// models/agents/agents.h: the residual blocks of LearningToPaint's actor, which have norms, and of its
// critic, which have normalised weights, and their four stages.
//
// Not for: torchvision's ResNets, whose stem and names are others (models/layers/vision).
//
// Example:
//
//     Stages<ActorBlock> stages{*this, 64};                       // "layer1.0.conv1.weight", ...
//     at::Tensor y = stages.Forward(x);                           // (N, 64, 64, 64) -> (N, 512)
// ---------------------------------------------------------------------------------------------

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/_weight_norm.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/relu.h>

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "models/layers/core/batch_norm2d.h"
#include "models/layers/core/conv2d.h"
#include "models/layers/core/layer.h"
#include "models/layers/core/recipes.h"

namespace assay::models {

// A convolution and the norm behind it.
class NormedConv {
 public:
  NormedConv(Layer& parent, const std::string& conv, const std::string& norm,
             const Conv2dOptions& options)
      : conv_(parent, conv, options), norm_(parent, norm, {.channels = options.out}) {}
  at::Tensor Forward(const at::Tensor& x) { return norm_.Forward(conv_.Forward(x)); }

 private:
  Conv2d conv_;
  BatchNorm2d norm_;
};

// A convolution whose weight is a length and a direction for each filter, as torch.nn.utils.weight_norm
// makes it.
class WeightNormConv final : public Layer {
 public:
  WeightNormConv(Layer& parent, std::string name, const Conv2dOptions& options)
      : Layer(parent, std::move(name)), options_(options) {
    const int64_t side = options.kernel.height, fan_in = options.in * side * side;
    AddParameter("bias", {options.out}, BiasInit(), bias_);
    AddParameter("weight_g", {options.out, 1, 1, 1}, ScaleInit(), length_);
    AddParameter("weight_v", {options.out, options.in, side, side}, WeightInit(fan_in), direction_);
  }

  at::Tensor Forward(const at::Tensor& x) const {
    return at::conv2d(x, at::_weight_norm(direction_, length_, /*dim=*/0), bias_, options_.stride,
                      options_.padding.height);
  }

 private:
  const Conv2dOptions options_;
  at::Tensor bias_;       // (out)
  at::Tensor length_;     // (out, 1, 1, 1)
  at::Tensor direction_;  // (out, in, side, side)
};

// A ReLU whose corner is at (alpha, alpha).
class ShiftedRelu final : public Layer {
 public:
  ShiftedRelu(Layer& parent, std::string name) : Layer(parent, std::move(name)) {
    AddParameter("alpha", {1}, BiasInit(), alpha_);
  }
  at::Tensor Forward(const at::Tensor& x) const { return at::relu(x - alpha_) + alpha_; }

 private:
  at::Tensor alpha_;  // (1)
};

// LearningToPaint's residual blocks: the actor's have norms, the critic's have normalised weights.
struct BlockOptions {
  int64_t in;
  int64_t out;
  int64_t stride;
  Conv2dOptions First() const { return {in, out, 3, stride, 1}; }
  Conv2dOptions Second() const { return {out, out, 3, 1, 1}; }
  Conv2dOptions Shortcut() const { return {in, out, 1, stride}; }
  bool HasShortcut() const { return stride != 1 || in != out; }
};

class ActorBlock final : public Layer {
 public:
  ActorBlock(Layer& parent, std::string name, const BlockOptions& options)
      : Layer(parent, std::move(name)),
        first_(*this, "conv1", "bn1", options.First()),
        second_(*this, "conv2", "bn2", options.Second()) {
    if (options.HasShortcut())
      shortcut_.emplace(*this, "shortcut.0", "shortcut.1", options.Shortcut());
  }
  at::Tensor Forward(const at::Tensor& x) {
    const at::Tensor branch = second_.Forward(at::relu(first_.Forward(x)));
    return at::relu(branch + (shortcut_ ? shortcut_->Forward(x) : x));
  }

 private:
  NormedConv first_, second_;
  std::optional<NormedConv> shortcut_;
};

class CriticBlock final : public Layer {
 public:
  CriticBlock(Layer& parent, std::string name, const BlockOptions& options)
      : Layer(parent, std::move(name)),
        first_(*this, "conv1", options.First()),
        second_(*this, "conv2", options.Second()) {
    if (options.HasShortcut()) shortcut_.emplace(*this, "shortcut.0", options.Shortcut());
    relu_1_.emplace(*this, "relu_1");
    relu_2_.emplace(*this, "relu_2");
  }
  at::Tensor Forward(const at::Tensor& x) const {
    const at::Tensor branch = second_.Forward(relu_1_->Forward(first_.Forward(x)));
    return relu_2_->Forward(branch + (shortcut_ ? shortcut_->Forward(x) : x));
  }

 private:
  WeightNormConv first_, second_;
  std::optional<WeightNormConv> shortcut_;
  std::optional<ShiftedRelu> relu_1_, relu_2_;
};

// Four stages of two blocks each, which halve the sides, then the mean of what is left.
template <typename Block>
class Stages {
 public:
  Stages(Layer& parent, int64_t channels) {
    int64_t in = channels;
    for (int64_t stage = 0; stage < 4; ++stage, channels *= 2) {
      for (int64_t i = 0; i < 2; ++i, in = channels) {
        blocks_.emplace_back(parent, absl::StrCat("layer", stage + 1, ".", i),
                             BlockOptions{in, channels, i == 0 ? 2 : 1});
      }
    }
  }
  at::Tensor Forward(at::Tensor x) {
    for (Block& block : blocks_) x = block.Forward(x);
    return at::adaptive_avg_pool2d(x, {1, 1}).flatten(1);
  }

 private:
  std::deque<Block> blocks_;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_AGENTS_AGENTS_H_
