// DenseNet-BC as torchvision builds it (torchvision/models/densenet.py). Tensor names, order and
// shapes are torchvision's, so its checkpoints fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/avg_pool2d.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/max_pool2d.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/batch_norm2d.h"
#include "models/layers/core/conv2d.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/vision/image_input.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr int64_t kMinimumPixels = 29;  // fewer, and the last of five halvings has nothing left
constexpr int64_t kBottleneck = 4;      // channels between a layer's convolutions, in growths

// Norm, ReLU and 1x1 convolution, then norm, ReLU and 3x3 convolution: the new channels.
class DenseLayer final : public Layer {
 public:
  DenseLayer(Layer& parent, std::string name, int64_t in, int64_t growth)
      : Layer(parent, std::move(name)),
        norm1_(*this, "norm1", {.channels = in}),
        conv1_(*this, "conv1", {.in = in, .out = kBottleneck * growth, .kernel = 1}),
        norm2_(*this, "norm2", {.channels = kBottleneck * growth}),
        conv2_(*this, "conv2",
               {.in = kBottleneck * growth, .out = growth, .kernel = 3, .padding = 1}) {}

  at::Tensor Forward(const at::Tensor& x) {
    const at::Tensor narrow = conv1_.Forward(norm1_.Forward(x).relu_());
    return conv2_.Forward(norm2_.Forward(narrow).relu_());
  }

 private:
  BatchNorm2d norm1_;
  Conv2d conv1_;
  BatchNorm2d norm2_;
  Conv2d conv2_;
};

// Each layer sees what went into the block and what all layers before it made.
class DenseBlock final : public Layer {
 public:
  DenseBlock(Layer& parent, std::string name, int64_t layers, int64_t in, int64_t growth)
      : Layer(parent, std::move(name)) {
    for (int64_t i = 0; i < layers; ++i) {
      layers_.push_back(std::make_unique<DenseLayer>(*this, absl::StrCat("denselayer", i + 1),
                                                     in + i * growth, growth));
    }
  }

  at::Tensor Forward(const at::Tensor& x) {
    std::vector<at::Tensor> features = {x};
    for (const std::unique_ptr<DenseLayer>& layer : layers_) {
      features.push_back(layer->Forward(at::concat(features, 1)));
    }
    return at::concat(features, 1);
  }

 private:
  std::vector<std::unique_ptr<DenseLayer>> layers_;
};

// Halves the channels and the image.
class Transition final : public Layer {
 public:
  Transition(Layer& parent, std::string name, int64_t in)
      : Layer(parent, std::move(name)),
        norm_(*this, "norm", {.channels = in}),
        conv_(*this, "conv", {.in = in, .out = in / 2, .kernel = 1}) {}

  at::Tensor Forward(const at::Tensor& x) {
    return at::avg_pool2d(conv_.Forward(norm_.Forward(x).relu_()), {2, 2}, {2, 2});
  }

 private:
  BatchNorm2d norm_;
  Conv2d conv_;
};

class DenseNet final : public LayeredModel {
 public:
  DenseNet(int64_t growth, const std::vector<int64_t>& layers, int64_t stem, int64_t num_classes)
      : conv0_(*this, "features.conv0",
               {.in = 3, .out = stem, .kernel = 7, .stride = 2, .padding = 3}),
        norm0_(*this, "features.norm0", {.channels = stem}) {
    int64_t channels = stem;
    for (size_t i = 0; i < layers.size(); ++i) {
      if (i > 0) {
        transitions_.push_back(
            std::make_unique<Transition>(*this, absl::StrCat("features.transition", i), channels));
        channels /= 2;
      }
      blocks_.push_back(std::make_unique<DenseBlock>(
          *this, absl::StrCat("features.denseblock", i + 1), layers[i], channels, growth));
      channels += layers[i] * growth;
    }
    norm5_ = std::make_unique<BatchNorm2d>(*this, "features.norm5",
                                           BatchNorm2dOptions{.channels = channels});
    classifier_ = std::make_unique<Linear>(*this, "classifier",
                                           LinearOptions{.in = channels, .out = num_classes});
  }

  // Images (N, 3, H, W) -> logits (N, num_classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], "densenet", {.minimum = kMinimumPixels});
    at::Tensor x = norm0_.Forward(conv0_.Forward(inputs[0])).relu_();
    x = at::max_pool2d(x, /*kernel_size=*/{3, 3}, /*stride=*/{2, 2}, /*padding=*/{1, 1});
    for (size_t i = 0; i < blocks_.size(); ++i) {
      if (i > 0) x = transitions_[i - 1]->Forward(x);
      x = blocks_[i]->Forward(x);
    }
    x = norm5_->Forward(x).relu_();
    return {classifier_->Forward(at::adaptive_avg_pool2d(x, {1, 1}).flatten(1))};
  }

 private:
  Conv2d conv0_;
  BatchNorm2d norm0_;
  std::vector<std::unique_ptr<DenseBlock>> blocks_;
  std::vector<std::unique_ptr<Transition>> transitions_;  // between them
  std::unique_ptr<BatchNorm2d> norm5_;
  std::unique_ptr<Linear> classifier_;
};

ASSAY_MODEL_IMPLEMENTATION(
    "densenet", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const absl::Status status =
          CheckCount("densenet", parameters, "layers", 4, "one for each block");
      if (!status.ok()) return status;
      return std::make_unique<DenseNet>(parameters.Integer("growth"), parameters.Integers("layers"),
                                        parameters.Integer("stem_channels"),
                                        parameters.Integer("num_classes"));
    });

}  // namespace
}  // namespace assay::models
