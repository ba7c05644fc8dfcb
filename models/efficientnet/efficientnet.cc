// EfficientNet and EfficientNetV2 as torchvision builds them (torchvision/models/efficientnet.py).
// Tensor names, order and shapes are torchvision's, so its checkpoints fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/adaptive_avg_pool2d.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/vision/conv_norm_activation.h"
#include "models/layers/vision/image_input.h"
#include "models/layers/vision/inverted_residual.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr double kStochasticDepth = 0.2;  // towards the last block
constexpr int64_t kSqueeze = 4;  // a block's input channels to those that it is squeezed to

// Factor on the scale of the norm in front of a residual sum, as in models/resnet: without it 57
// blocks and more grow into rounding (efficientnet_v2_s: fp32 is 0.1 off).
constexpr double kBranchGain = 0.3;

struct Stage {
  int64_t expansion;
  int64_t kernel;
  int64_t stride;  // of the first block
  int64_t in;
  int64_t out;
  int64_t layers;
  bool fused = false;
};

struct Table {
  std::vector<Stage> stages;
  int64_t last;  // channels in front of the classifier; 0: four times those of the last stage
  // Factor on the weights' recipe, for what SiLU and gates take away; the many and wide blocks of V2
  // would grow with that of V1.
  double gain;
};

const std::map<std::string, Table>& Tables() {
  static const auto* tables = new std::map<std::string, Table>{
      {"b",
       {.stages = {{1, 3, 1, 32, 16, 1},
                   {6, 3, 2, 16, 24, 2},
                   {6, 5, 2, 24, 40, 2},
                   {6, 3, 2, 40, 80, 3},
                   {6, 5, 1, 80, 112, 3},
                   {6, 5, 2, 112, 192, 4},
                   {6, 3, 1, 192, 320, 1}},
        .last = 0,
        .gain = std::numbers::sqrt2}},
      {"v2_s",
       {.stages = {{1, 3, 1, 24, 24, 2, true},
                   {4, 3, 2, 24, 48, 4, true},
                   {4, 3, 2, 48, 64, 4, true},
                   {4, 3, 2, 64, 128, 6},
                   {6, 3, 1, 128, 160, 9},
                   {6, 3, 2, 160, 256, 15}},
        .last = 1280,
        .gain = 1.25}},
      {"v2_m",
       {.stages = {{1, 3, 1, 24, 24, 3, true},
                   {4, 3, 2, 24, 48, 5, true},
                   {4, 3, 2, 48, 80, 5, true},
                   {4, 3, 2, 80, 160, 7},
                   {6, 3, 1, 160, 176, 14},
                   {6, 3, 2, 176, 304, 18},
                   {6, 3, 1, 304, 512, 5}},
        .last = 1280,
        .gain = 1.25}},
      {"v2_l",
       {.stages = {{1, 3, 1, 32, 32, 4, true},
                   {4, 3, 2, 32, 64, 7, true},
                   {4, 3, 2, 64, 96, 7, true},
                   {4, 3, 2, 96, 192, 10},
                   {6, 3, 1, 192, 224, 19},
                   {6, 3, 2, 224, 384, 25},
                   {6, 3, 1, 384, 640, 7}},
        .last = 1280,
        .gain = 1.25}},
  };
  return *tables;
}

struct EfficientNetOptions {
  const Table* table;
  double width_multiplier;
  double depth_multiplier;
  double dropout;
  double norm_epsilon;
  double norm_momentum;
  bool pads_by_size;
  int64_t num_classes;

  int64_t Width(int64_t channels) const {
    return RoundedToEight(static_cast<double>(channels) * width_multiplier);
  }
  int64_t Depth(int64_t layers) const {
    return static_cast<int64_t>(std::ceil(static_cast<double>(layers) * depth_multiplier));
  }
  int64_t Last() const {
    return table->last > 0 ? table->last : 4 * Width(table->stages.back().out);
  }
  ConvNormActivationOptions Convolution(int64_t in, int64_t out, int64_t kernel,
                                        int64_t stride) const {
    return {.in = in,
            .out = out,
            .kernel = kernel,
            .stride = stride,
            .by_size = pads_by_size,
            .activation = Activation::kSilu,
            .eps = norm_epsilon,
            .momentum = norm_momentum,
            .gain = table->gain};
  }
};

class EfficientNet final : public LayeredModel {
 public:
  explicit EfficientNet(const EfficientNetOptions& options)
      : stem_(*this, NamesInSequence("features.0"),
              options.Convolution(3, options.Width(options.table->stages.front().in), 3, 2)),
        blocks_(MakeBlocks(options)),
        last_(*this, NamesInSequence(absl::StrCat("features.", options.table->stages.size() + 1)),
              options.Convolution(options.Width(options.table->stages.back().out), options.Last(),
                                  1, 1)),
        classifier_(
            *this, "classifier.1",
            {.in = options.Last(), .out = options.num_classes, .gain = options.table->gain}),
        dropout_(*this, options.dropout) {}

  // Images (N, 3, H, W) -> logits (N, num_classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], "efficientnet", {});
    at::Tensor x = stem_.Forward(inputs[0]);
    for (const std::unique_ptr<InvertedResidual>& block : blocks_) x = block->Forward(x);
    x = at::adaptive_avg_pool2d(last_.Forward(x), {1, 1}).flatten(1);
    return {classifier_.Forward(dropout_.Forward(x))};
  }

 private:
  std::vector<std::unique_ptr<InvertedResidual>> MakeBlocks(const EfficientNetOptions& options) {
    int64_t count = 0;
    for (const Stage& stage : options.table->stages) count += options.Depth(stage.layers);
    std::vector<std::unique_ptr<InvertedResidual>> blocks;
    int64_t number = 0;
    for (const Stage& stage : options.table->stages) {
      ++number;
      const int64_t out = options.Width(stage.out);
      for (int64_t i = 0; i < options.Depth(stage.layers); ++i) {
        const int64_t in = i == 0 ? options.Width(stage.in) : out;
        blocks.push_back(std::make_unique<InvertedResidual>(
            *this, absl::StrCat("features.", number, ".", i),
            InvertedResidualOptions{
                .in = in,
                .expanded = RoundedToEight(static_cast<double>(in * stage.expansion)),
                .out = out,
                .kernel = stage.kernel,
                .stride = i == 0 ? stage.stride : 1,
                .by_size = options.pads_by_size,
                .fused = stage.fused,
                .squeezed = stage.fused ? 0 : std::max<int64_t>(1, in / kSqueeze),
                .squeeze_activation = Activation::kSilu,
                .activation = Activation::kSilu,
                .eps = options.norm_epsilon,
                .momentum = options.norm_momentum,
                .stochastic_depth = StochasticDepthProbability(
                    kStochasticDepth, static_cast<int64_t>(blocks.size()), count),
                .gain = options.table->gain,
                .branch_gain = kBranchGain}));
      }
    }
    return blocks;
  }

  ConvNormActivation stem_;
  std::vector<std::unique_ptr<InvertedResidual>> blocks_;
  ConvNormActivation last_;
  Linear classifier_;
  Dropout dropout_;
};

ASSAY_MODEL_IMPLEMENTATION(
    "efficientnet", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const std::string& table = parameters.Text("table");
      const EfficientNetOptions options = {.table = &Tables().at(table),
                                           .width_multiplier = parameters.Real("width_multiplier"),
                                           .depth_multiplier = parameters.Real("depth_multiplier"),
                                           .dropout = parameters.Real("dropout"),
                                           .norm_epsilon = parameters.Real("norm_epsilon"),
                                           .norm_momentum = parameters.Real("norm_momentum"),
                                           .pads_by_size = parameters.Flag("pads_by_size"),
                                           .num_classes = parameters.Integer("num_classes")};
      if (table != "b" && (options.width_multiplier != 1 || options.depth_multiplier != 1)) {
        return absl::InvalidArgumentError(absl::StrCat(
            "efficientnet: table \"", table, "\" has multipliers 1, not ", options.width_multiplier,
            " and ", options.depth_multiplier, "; use \"b\""));
      }
      return std::make_unique<EfficientNet>(options);
    });

}  // namespace
}  // namespace assay::models
