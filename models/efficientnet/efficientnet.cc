// EfficientNet and EfficientNetV2 as torchvision builds them (torchvision/models/efficientnet.py).
// Tensor names, order and shapes are torchvision's, so its checkpoints fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/adaptive_avg_pool2d.h>

#include <cstdint>
#include <map>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/vision/conv_norm_activation.h"
#include "models/layers/vision/efficientnet_body.h"
#include "models/layers/vision/image_input.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

struct Table {
  std::vector<EfficientNetStage> stages;
  int64_t last;  // channels in front of the classifier; 0: four times those of the last stage
  // Factor on the weights' recipe, for what SiLU and gates take away; the many and wide blocks of V2
  // would grow with that of V1.
  double gain;
};

const std::map<std::string, Table> &Tables() {
  static const auto *tables = new std::map<std::string, Table>{
      {"b", {.stages = EfficientNetB(), .last = 0, .gain = std::numbers::sqrt2}},
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

class EfficientNet final : public LayeredModel {
 public:
  // `last`: channels in front of the classifier.
  EfficientNet(const EfficientNetBodyOptions &options, int64_t last, double dropout,
               int64_t num_classes)
      : body_(*this, options),
        last_(*this, NamesInSequence(absl::StrCat("features.", options.stages.size() + 1)),
              options.Convolution(options.Width(options.stages.back().out), last, 1, 1)),
        classifier_(*this, "classifier.1", {.in = last, .out = num_classes, .gain = options.gain}),
        dropout_(*this, dropout) {}

  // Images (N, 3, H, W) -> logits (N, num_classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], "efficientnet", {});
    const at::Tensor x = last_.Forward(body_.Forward(inputs[0]));
    return {classifier_.Forward(dropout_.Forward(at::adaptive_avg_pool2d(x, {1, 1}).flatten(1)))};
  }

 private:
  EfficientNetBody body_;
  ConvNormActivation last_;
  Linear classifier_;
  Dropout dropout_;
};

ASSAY_MODEL_IMPLEMENTATION(
    "efficientnet", [](const Parameters &parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const std::string &name = parameters.Text("table");
      const Table &table = Tables().at(name);
      const EfficientNetBodyOptions options = {
          .stages = table.stages,
          .width_multiplier = parameters.Real("width_multiplier"),
          .depth_multiplier = parameters.Real("depth_multiplier"),
          .pads_by_size = parameters.Flag("pads_by_size"),
          .norm_epsilon = parameters.Real("norm_epsilon"),
          .norm_momentum = parameters.Real("norm_momentum"),
          .gain = table.gain};
      if (name != "b" && (options.width_multiplier != 1 || options.depth_multiplier != 1)) {
        return absl::InvalidArgumentError(absl::StrCat(
            "efficientnet: table \"", name, "\" has multipliers 1, not ", options.width_multiplier,
            " and ", options.depth_multiplier, "; use \"b\""));
      }
      const int64_t last = table.last > 0 ? table.last : 4 * options.Width(table.stages.back().out);
      return std::make_unique<EfficientNet>(options, last, parameters.Real("dropout"),
                                            parameters.Integer("num_classes"));
    });

}  // namespace
}  // namespace assay::models
