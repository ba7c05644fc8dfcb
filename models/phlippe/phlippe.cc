// The ResNet and the DenseNet for images of 32 x 32 pixels of the UvA deep learning course
// (github.com/phlippe/uvadlc_notebooks, tutorial 5), which TorchBench calls phlippe_resnet and
// phlippe_densenet. Tensor names, order and shapes are the course's, so its checkpoints fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/avg_pool2d.h>
#include <ATen/ops/concat.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/batch_norm2d.h"
#include "models/layers/core/conv2d.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/vision/conv_norm_activation.h"
#include "models/layers/vision/image_input.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr int64_t kDenseNetPixels = 8;  // what the image is divided by
constexpr int64_t kBottleneck = 2;      // channels between a dense layer's convolutions, in growths
// Factor on the scale of the last norm of each branch, as resnet_backbone.cc has it and says why.
constexpr double kBranchGain = 0.3;

// Two 3x3 convolutions. Where the image is halved, a convolution without a norm stands beside them.
class ResidualBlock final : public Layer {
 public:
  ResidualBlock(Layer& parent, std::string name, int64_t in, int64_t out, bool halves)
      : Layer(parent, std::move(name)),
        first_(*this, {"net.0", "net.1"},
               {.in = in, .out = out, .kernel = 3, .stride = halves ? 2 : 1}),
        second_(*this, {"net.3", "net.4"},
                {.in = out,
                 .out = out,
                 .kernel = 3,
                 .activation = Activation::kNone,
                 .norm_gain = kBranchGain}) {
    if (!halves) return;
    shortcut_ = std::make_unique<Conv2d>(
        *this, "downsample",
        Conv2dOptions{.in = in, .out = out, .kernel = 1, .stride = 2, .bias = true});
  }

  at::Tensor Forward(const at::Tensor& x) {
    return second_.Forward(first_.Forward(x)).add_(shortcut_ ? shortcut_->Forward(x) : x).relu_();
  }

 private:
  ConvNormActivation first_;
  ConvNormActivation second_;
  std::unique_ptr<Conv2d> shortcut_;  // null where the input fits as it is
};

class ResNet final : public LayeredModel {
 public:
  ResNet(const std::vector<int64_t>& layers, const std::vector<int64_t>& channels,
         int64_t num_classes)
      : stem_(*this, NamesInSequence("input_net"), {.in = 3, .out = channels[0], .kernel = 3}) {
    int64_t in = channels[0];
    for (size_t stage = 0; stage < layers.size(); ++stage) {
      for (int64_t i = 0; i < layers[stage]; ++i) {
        blocks_.push_back(std::make_unique<ResidualBlock>(
            *this, absl::StrCat("blocks.", blocks_.size()), in, channels[stage],
            /*halves=*/stage > 0 && i == 0));
        in = channels[stage];
      }
    }
    fc_ = std::make_unique<Linear>(*this, "output_net.2",
                                   LinearOptions{.in = in, .out = num_classes});
  }

  // Images (N, 3, H, W) -> logits (N, num_classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], "phlippe_resnet", {});
    at::Tensor x = stem_.Forward(inputs[0]);
    for (const std::unique_ptr<ResidualBlock>& block : blocks_) x = block->Forward(x);
    return {fc_->Forward(at::adaptive_avg_pool2d(x, {1, 1}).flatten(1))};
  }

 private:
  ConvNormActivation stem_;
  std::vector<std::unique_ptr<ResidualBlock>> blocks_;
  std::unique_ptr<Linear> fc_;
};

// Puts its new channels in front of those that it is given.
class DenseLayer final : public Layer {
 public:
  DenseLayer(Layer& parent, std::string name, int64_t in, int64_t growth)
      : Layer(parent, std::move(name)),
        norm1_(*this, "net.0", {.channels = in}),
        conv1_(*this, "net.2", {.in = in, .out = kBottleneck * growth, .kernel = 1}),
        norm2_(*this, "net.3", {.channels = kBottleneck * growth}),
        conv2_(*this, "net.5",
               {.in = kBottleneck * growth, .out = growth, .kernel = 3, .padding = 1}) {}

  at::Tensor Forward(const at::Tensor& x) {
    const at::Tensor narrow = conv1_.Forward(norm1_.Forward(x).relu_());
    return at::concat({conv2_.Forward(norm2_.Forward(narrow).relu_()), x}, 1);
  }

 private:
  BatchNorm2d norm1_;
  Conv2d conv1_;
  BatchNorm2d norm2_;
  Conv2d conv2_;
};

class DenseNet final : public LayeredModel {
 public:
  DenseNet(const std::vector<int64_t>& layers, int64_t growth, int64_t num_classes)
      : stem_(*this, "input_net.0",
              {.in = 3, .out = kBottleneck * growth, .kernel = 3, .padding = 1, .bias = true}) {
    int64_t channels = kBottleneck * growth;
    for (size_t i = 0; i < layers.size(); ++i) {
      Stage& stage = stages_.emplace_back();
      if (i > 0) {
        const std::string name = absl::StrCat("blocks.", 2 * i - 1, ".transition.");
        stage.norm = std::make_unique<BatchNorm2d>(*this, name + "0",
                                                   BatchNorm2dOptions{.channels = channels});
        stage.narrow = std::make_unique<Conv2d>(
            *this, name + "2", Conv2dOptions{.in = channels, .out = channels / 2, .kernel = 1});
        channels /= 2;
      }
      for (int64_t layer = 0; layer < layers[i]; ++layer, channels += growth) {
        stage.layers.push_back(std::make_unique<DenseLayer>(
            *this, absl::StrCat("blocks.", 2 * i, ".block.", layer), channels, growth));
      }
    }
    norm_ = std::make_unique<BatchNorm2d>(*this, "output_net.0",
                                          BatchNorm2dOptions{.channels = channels});
    fc_ = std::make_unique<Linear>(*this, "output_net.4",
                                   LinearOptions{.in = channels, .out = num_classes});
  }

  // Images (N, 3, H, W) -> logits (N, num_classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], "phlippe_densenet", {.minimum = kDenseNetPixels});
    at::Tensor x = stem_.Forward(inputs[0]);
    for (const Stage& stage : stages_) {
      if (stage.narrow) {
        x = at::avg_pool2d(stage.narrow->Forward(stage.norm->Forward(x).relu_()), {2, 2}, {2, 2});
      }
      for (const std::unique_ptr<DenseLayer>& layer : stage.layers) x = layer->Forward(x);
    }
    x = norm_->Forward(x).relu_();
    return {fc_->Forward(at::adaptive_avg_pool2d(x, {1, 1}).flatten(1))};
  }

 private:
  struct Stage {
    std::unique_ptr<BatchNorm2d> norm;  // null in the first stage, as the next
    std::unique_ptr<Conv2d> narrow;     // halves the channels
    std::vector<std::unique_ptr<DenseLayer>> layers;
  };

  Conv2d stem_;
  std::vector<Stage> stages_;
  std::unique_ptr<BatchNorm2d> norm_;
  std::unique_ptr<Linear> fc_;
};

ASSAY_MODEL_IMPLEMENTATION(
    "phlippe_resnet", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const absl::Status status =
          CheckForEachStage("phlippe_resnet", parameters, "layers", "channels");
      if (!status.ok()) return status;
      return std::make_unique<ResNet>(parameters.Integers("layers"),
                                      parameters.Integers("channels"),
                                      parameters.Integer("num_classes"));
    });

ASSAY_MODEL_IMPLEMENTATION(
    "phlippe_densenet", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const absl::Status status =
          CheckCount("phlippe_densenet", parameters, "layers", 4, "one for each block");
      if (!status.ok()) return status;
      return std::make_unique<DenseNet>(parameters.Integers("layers"), parameters.Integer("growth"),
                                        parameters.Integer("num_classes"));
    });

}  // namespace
}  // namespace assay::models
