// ResNet, ResNeXt and Wide ResNet as torchvision builds them (torchvision/models/resnet.py: version
// 1.5, the stride of a bottleneck is on its 3x3 convolution). Tensor names, order and shapes are
// torchvision's, so its checkpoints fit.

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/vision/image_input.h"
#include "models/layers/vision/resnet_backbone.h"
#include "models/layers/vision/sums.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr int64_t kMinimumPixels = 32;  // what the image is divided by

class ResNet final : public LayeredModel {
 public:
  ResNet(const char* implementation, const ResNetBackboneOptions& options, int64_t num_classes)
      : implementation_(implementation),
        takes_integers_(options.norm_groups == 0),
        backbone_(*this, "", options),
        fc_(*this, "fc", {.in = backbone_.high_channels(), .out = num_classes}) {}

  // Images (N, 3, H, W) -> logits (N, num_classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], implementation_, {.minimum = kMinimumPixels});
    const at::Tensor x = backbone_.High(backbone_.Low(inputs[0]));
    return {fc_.Forward(mean_.Forward(x))};
  }

 private:
  bool TakesIntegers() const override { return takes_integers_; }

  const char* const implementation_;
  const bool takes_integers_;  // a norm of groups is not merged into its convolution
  ResNetBackbone backbone_;
  PixelMean mean_{*this};
  Linear fc_;
};

// Checks what the specs of single parameters cannot say.
absl::Status Check(const char* implementation, const ResNetBackboneOptions& options) {
  if (options.norm_groups > 0 && 64 % options.norm_groups != 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        implementation, ": norm_groups ", options.norm_groups, " does not divide 64 channels"));
  }
  if (!options.bottleneck && (options.groups != 1 || options.width_per_group != 64)) {
    return absl::InvalidArgumentError(
        absl::StrCat(implementation, ": block \"basic\" has groups 1 and width_per_group 64, not ",
                     options.groups, " and ", options.width_per_group, "; use \"bottleneck\""));
  }
  return absl::OkStatus();
}

// `implementation` is kept.
absl::StatusOr<std::unique_ptr<Model>> Make(const char* implementation,
                                            const Parameters& parameters, int64_t norm_groups) {
  const ResNetBackboneOptions options = {.bottleneck = parameters.Text("block") == "bottleneck",
                                         .layers = parameters.Integers("layers"),
                                         .groups = parameters.Integer("groups"),
                                         .width_per_group = parameters.Integer("width_per_group"),
                                         .norm_groups = norm_groups};
  absl::Status status = CheckBlocks(implementation, parameters, /*stages=*/4);
  status.Update(Check(implementation, options));
  if (!status.ok()) return status;
  return std::make_unique<ResNet>(implementation, options, parameters.Integer("num_classes"));
}

ASSAY_MODEL_IMPLEMENTATION("resnet", [](const Parameters& parameters) {
  return Make("resnet", parameters, 0);
});
ASSAY_MODEL_IMPLEMENTATION("group_norm_resnet", [](const Parameters& parameters) {
  return Make("group_norm_resnet", parameters, parameters.Integer("norm_groups"));
});

}  // namespace
}  // namespace assay::models
