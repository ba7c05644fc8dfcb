// RepVGG as timm builds it (timm/models/byobnet.py), as it trains; lowered, as it is merged for inference.
// Tensor names, order and shapes are timm's, so its checkpoints fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/arange.h>

#include <cstdint>
#include <memory>
#include <numbers>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "defs/case/lowerings.h"
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

// Factor on the weights' recipe, for what ReLU takes away.
constexpr double kGain = std::numbers::sqrt2;
// Factor on the scales of the norms, whose outputs are added up: without it repvgg_a2's output grows
// to a standard deviation of 5,000.
constexpr double kNormGain = 0.6;

struct BlockOptions {
  int64_t in;
  int64_t out;
  int64_t stride;
  int64_t groups;
};

// ReLU of the sum of a 3x3 and a 1x1 convolution and, where it fits, the input, each with a norm;
// lowered to merged_branches, of the one 3x3 convolution that these amount to.
class Block final : public Layer {
 public:
  Block(Layer& parent, std::string name, const BlockOptions& options)
      : Layer(parent, std::move(name)), options_(options) {
    if (options.in == options.out && options.stride == 1) {
      identity_ = std::make_unique<BatchNorm2d>(
          *this, "identity", BatchNorm2dOptions{.channels = options.out, .gain = kNormGain});
    }
    const auto convolution = [&](const std::string& called, int64_t kernel) {
      return std::make_unique<ConvNormActivation>(
          *this, ConvNormNames{called + ".conv", called + ".bn"},
          ConvNormActivationOptions{.in = options.in,
                                    .out = options.out,
                                    .kernel = kernel,
                                    .stride = options.stride,
                                    .groups = options.groups,
                                    .activation = Activation::kNone,
                                    .gain = kGain,
                                    .norm_gain = kNormGain});
    };
    square_ = convolution("conv_kxk", 3);
    point_ = convolution("conv_1x1", 1);
  }

  at::Tensor Forward(const at::Tensor& x) {
    if (merged_) return merged_->Forward(x).relu_();
    at::Tensor y = point_->Forward(x).add_(square_->Forward(x));
    if (identity_) y.add_(identity_->Forward(x));
    return y.relu_();
  }

 private:
  absl::StatusOr<bool> LowerSelf(const Lowering& lowering) override {
    if (lowering.name != lowerings::kMergedBranches) return false;
    auto [kernel, bias] = square_->AsOneConvolution();
    const auto point = point_->AsOneConvolution();
    kernel.slice(2, 1, 2).slice(3, 1, 2).add_(point.kernel);
    bias.add_(point.bias);
    if (identity_) {
      // Channel c of a group goes to itself.
      const BatchNorm2d::Affine norm = identity_->AsAffine();
      const at::Tensor channel = at::arange(options_.out, bias.options().dtype(at::kLong));
      at::Tensor center = kernel.select(3, 1).select(2, 1);  // (out, in / groups)
      center.scatter_add_(1, channel.remainder(kernel.size(1)).unsqueeze(1),
                          norm.scale.unsqueeze(1));
      bias.add_(norm.shift);
    }
    RemoveChildren();
    merged_ = std::make_unique<Conv2d>(*this, "reparam_conv",
                                       Conv2dOptions{.in = options_.in,
                                                     .out = options_.out,
                                                     .kernel = 3,
                                                     .stride = options_.stride,
                                                     .padding = 1,
                                                     .groups = options_.groups,
                                                     .bias = true});
    merged_->SetValues(kernel.to(square_->dtype()), bias.to(square_->dtype()));
    identity_.reset();
    square_.reset();
    point_.reset();
    return true;
  }

  const BlockOptions options_;
  std::unique_ptr<Conv2d> merged_;  // or the others
  std::unique_ptr<BatchNorm2d> identity_;
  std::unique_ptr<ConvNormActivation> square_;
  std::unique_ptr<ConvNormActivation> point_;
};

struct RepVggOptions {
  int64_t stem;                 // channels
  std::vector<int64_t> widths;  // channels of each stage
  std::vector<int64_t> layers;  // blocks in each stage
  int64_t groups;
  int64_t num_classes;
};

class RepVgg final : public LayeredModel {
 public:
  explicit RepVgg(const RepVggOptions& options)
      : blocks_(MakeBlocks(options)),
        head_(*this, "head.fc", {.in = options.widths.back(), .out = options.num_classes}) {}

  // Images (N, 3, H, W) -> logits (N, num_classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], "repvgg", {});
    at::Tensor x = inputs[0];
    for (const std::unique_ptr<Block>& block : blocks_) x = block->Forward(x);
    return {head_.Forward(at::adaptive_avg_pool2d(x, {1, 1}).flatten(1))};
  }

 private:
  std::vector<std::unique_ptr<Block>> MakeBlocks(const RepVggOptions& options) {
    std::vector<std::unique_ptr<Block>> blocks;
    int64_t in = 3;
    const auto add = [&](std::string name, int64_t out, int64_t stride, int64_t groups) {
      blocks.push_back(std::make_unique<Block>(
          *this, std::move(name),
          BlockOptions{.in = in, .out = out, .stride = stride, .groups = groups}));
      in = out;
    };
    add("stem", options.stem, 2, 1);
    for (size_t stage = 0; stage < options.layers.size(); ++stage) {
      for (int64_t i = 0; i < options.layers[stage]; ++i) {
        add(absl::StrCat("stages.", stage, ".", i), options.widths[stage], i == 0 ? 2 : 1,
            i % 2 == 1 ? options.groups : 1);
      }
    }
    return blocks;
  }

  std::vector<std::unique_ptr<Block>> blocks_;
  Linear head_;
};

absl::Status Check(const RepVggOptions& options) {
  for (const int64_t width : options.widths) {
    if (width % options.groups != 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          "repvgg: the width ", width, " is not a multiple of groups ", options.groups));
    }
  }
  return absl::OkStatus();
}

ASSAY_MODEL_IMPLEMENTATION(
    "repvgg", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const RepVggOptions options = {.stem = parameters.Integer("stem"),
                                     .widths = parameters.Integers("widths"),
                                     .layers = parameters.Integers("layers"),
                                     .groups = parameters.Integer("groups"),
                                     .num_classes = parameters.Integer("num_classes")};
      absl::Status status = CheckForEachStage("repvgg", parameters, "layers", "widths");
      status.Update(Check(options));
      if (!status.ok()) return status;
      return std::make_unique<RepVgg>(options);
    });

}  // namespace
}  // namespace assay::models
