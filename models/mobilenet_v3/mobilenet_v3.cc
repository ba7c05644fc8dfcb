// MobileNetV3 as torchvision builds it (torchvision/models/mobilenetv3.py). Tensor names, order and
// shapes are torchvision's, so its checkpoints fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/adaptive_avg_pool2d.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/vision/image_input.h"
#include "models/layers/vision/mobilenet_v3_backbone.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr double kDropout = 0.2;
constexpr double kGain = MobileNetV3Backbone::kGain;

class MobileNetV3 final : public LayeredModel {
 public:
  MobileNetV3(bool large, int64_t hidden, int64_t num_classes)
      : backbone_(*this, "features.", {.large = large}),
        linear0_(*this, "classifier.0",
                 {.in = backbone_.high_channels(), .out = hidden, .gain = kGain}),
        linear3_(*this, "classifier.3", {.in = hidden, .out = num_classes, .gain = kGain}) {}

  // Images (N, 3, H, W) -> logits (N, num_classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], "mobilenet_v3", {});
    at::Tensor x = backbone_.High(backbone_.Low(inputs[0]));
    x = at::adaptive_avg_pool2d(x, {1, 1}).flatten(1);
    x = Activate(Activation::kHardswish, linear0_.Forward(x));
    return {linear3_.Forward(dropout_.Forward(x))};
  }

 private:
  MobileNetV3Backbone backbone_;
  Linear linear0_;
  Linear linear3_;
  Dropout dropout_{*this, kDropout};
};

ASSAY_MODEL_IMPLEMENTATION(
    "mobilenet_v3", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const bool large = parameters.Text("size") == "large";
      return std::make_unique<MobileNetV3>(large, large ? 1280 : 1024,
                                           parameters.Integer("num_classes"));
    });

}  // namespace
}  // namespace assay::models
