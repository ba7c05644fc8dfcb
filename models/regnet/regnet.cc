// RegNetX and RegNetY as torchvision builds them (torchvision/models/regnet.py). Tensor names, order
// and shapes are torchvision's, so its checkpoints fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/adaptive_avg_pool2d.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/vision/conv_norm_activation.h"
#include "models/layers/vision/image_input.h"
#include "models/layers/vision/squeeze_excitation.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr int64_t kStem = 32;
constexpr int64_t kSqueeze = 4;  // a block's input channels to those that it is squeezed to

// Factor on the scale of the last norm of each residual branch, as in models/resnet.
constexpr double kBranchGain = 0.3;
// Factor on the squeeze-excitation's weights: the means that it sees are small, and without it a gate
// hardly moves: a change of its weights by 1 % moves the output by 2e-5 of its standard deviation.
constexpr double kSqueezeGain = 3;

struct BlockOptions {
  int64_t in;
  int64_t out;
  int64_t stride;
  int64_t group_width;
  bool squeezes;
};

// 1x1, grouped 3x3, squeeze-excitation in RegNetY, 1x1, each with a norm; added to the input.
class Block final : public Layer {
 public:
  Block(Layer& parent, std::string name, const BlockOptions& options)
      : Layer(parent, std::move(name)),
        projection_(MakeProjection(options)),
        a_(*this, NamesInSequence("f.a"), {.in = options.in, .out = options.out}),
        b_(*this, NamesInSequence("f.b"),
           {.in = options.out,
            .out = options.out,
            .kernel = 3,
            .stride = options.stride,
            .groups = options.out / options.group_width}),
        squeeze_excitation_(MakeSqueezeExcitation(options)),
        c_(*this, NamesInSequence("f.c"),
           {.in = options.out,
            .out = options.out,
            .activation = Activation::kNone,
            .norm_gain = kBranchGain}) {}

  at::Tensor Forward(const at::Tensor& x) {
    at::Tensor out = b_.Forward(a_.Forward(x));
    if (squeeze_excitation_) out = squeeze_excitation_->Forward(out);
    return c_.Forward(out).add_(projection_ ? projection_->Forward(x) : x).relu_();
  }

 private:
  std::unique_ptr<ConvNormActivation> MakeProjection(const BlockOptions& options) {
    if (options.stride == 1 && options.in == options.out) return nullptr;
    return std::make_unique<ConvNormActivation>(
        *this, NamesInSequence("proj"),
        ConvNormActivationOptions{.in = options.in,
                                  .out = options.out,
                                  .stride = options.stride,
                                  .activation = Activation::kNone});
  }

  std::unique_ptr<SqueezeExcitation> MakeSqueezeExcitation(const BlockOptions& options) {
    if (!options.squeezes) return nullptr;
    return std::make_unique<SqueezeExcitation>(
        *this, "f.se",
        SqueezeExcitationOptions{
            .channels = options.out, .squeezed = options.in / kSqueeze, .gain = kSqueezeGain});
  }

  std::unique_ptr<ConvNormActivation> projection_;  // null where the input fits as it is
  ConvNormActivation a_;
  ConvNormActivation b_;
  std::unique_ptr<SqueezeExcitation> squeeze_excitation_;  // null in RegNetX
  ConvNormActivation c_;
};

struct RegNetOptions {
  std::vector<int64_t> depths;  // blocks in each stage
  std::vector<int64_t> widths;  // channels of each stage
  int64_t group_width;
  bool squeezes;
  int64_t num_classes;
};

class RegNet final : public LayeredModel {
 public:
  explicit RegNet(const RegNetOptions& options)
      : stem_(*this, NamesInSequence("stem"), {.in = 3, .out = kStem, .kernel = 3, .stride = 2}),
        blocks_(MakeBlocks(options)),
        fc_(*this, "fc", {.in = options.widths.back(), .out = options.num_classes}) {}

  // Images (N, 3, H, W) -> logits (N, num_classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], "regnet", {});
    at::Tensor x = stem_.Forward(inputs[0]);
    for (const std::unique_ptr<Block>& block : blocks_) x = block->Forward(x);
    return {fc_.Forward(at::adaptive_avg_pool2d(x, {1, 1}).flatten(1))};
  }

 private:
  std::vector<std::unique_ptr<Block>> MakeBlocks(const RegNetOptions& options) {
    std::vector<std::unique_ptr<Block>> blocks;
    int64_t in = kStem;
    for (size_t stage = 0; stage < options.depths.size(); ++stage) {
      const int64_t out = options.widths[stage];
      for (int64_t i = 0; i < options.depths[stage]; ++i) {
        blocks.push_back(std::make_unique<Block>(
            *this, absl::StrCat("trunk_output.block", stage + 1, ".block", stage + 1, "-", i),
            BlockOptions{.in = in,
                         .out = out,
                         .stride = i == 0 ? 2 : 1,
                         .group_width = std::min(options.group_width, out),
                         .squeezes = options.squeezes}));
        in = out;
      }
    }
    return blocks;
  }

  ConvNormActivation stem_;
  std::vector<std::unique_ptr<Block>> blocks_;
  Linear fc_;
};

absl::Status Check(const RegNetOptions& options) {
  for (const int64_t width : options.widths) {
    if (width % std::min(options.group_width, width) != 0 || width % kSqueeze != 0) {
      return absl::InvalidArgumentError(absl::StrCat("regnet: the width ", width,
                                                     " is not a multiple of ", kSqueeze,
                                                     " and of group_width ", options.group_width));
    }
  }
  return absl::OkStatus();
}

ASSAY_MODEL_IMPLEMENTATION(
    "regnet", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const RegNetOptions options = {.depths = parameters.Integers("depths"),
                                     .widths = parameters.Integers("widths"),
                                     .group_width = parameters.Integer("group_width"),
                                     .squeezes = parameters.Flag("squeeze_excitation"),
                                     .num_classes = parameters.Integer("num_classes")};
      absl::Status status = CheckForEachStage("regnet", parameters, "depths", "widths");
      status.Update(Check(options));
      if (!status.ok()) return status;
      return std::make_unique<RegNet>(options);
    });

}  // namespace
}  // namespace assay::models
