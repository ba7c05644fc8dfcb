#ifndef ASSAY_MODELS_LAYERS_VISION_MOBILENET_V3_BACKBONE_H_
#define ASSAY_MODELS_LAYERS_VISION_MOBILENET_V3_BACKBONE_H_

// ---------------------------------------------------------------------------------------------
// models/layers/vision/mobilenet_v3_backbone.h: MobileNetV3 without pooling and classifier, as torchvision
// builds it.
//
// The features from its middle are those at an eighth of the image's size, of its C2 block.
//
// Not for: other widths than 1, reduced tails.
//
// Example:
//
//     MobileNetV3Backbone backbone{*this, "features.", {.large = true}};    // "features.0.0", ...
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "models/layers/core/layer.h"
#include "models/layers/vision/backbone.h"
#include "models/layers/vision/conv_norm_activation.h"
#include "models/layers/vision/inverted_residual.h"

namespace assay::models {

struct MobileNetV3BackboneOptions {
  bool large;
  // Whether the last blocks keep the image's size and spread the taps of their convolutions instead.
  bool dilated = false;
};

class MobileNetV3Backbone final : public Backbone {
 public:
  // Factor on the weights' recipe that makes up for hardswish and gates. Without it the biases hide
  // the image, and a change of a gate's weights by 1 % moves the output by 2e-6 of its standard
  // deviation.
  static constexpr double kGain = std::numbers::sqrt2;

  // Adds its layers to `parent`, `prefix` before their names, which are numbers.
  MobileNetV3Backbone(Layer& parent, const std::string& prefix,
                      const MobileNetV3BackboneOptions& options);

  at::Tensor Low(const at::Tensor& image) override;
  at::Tensor High(at::Tensor low) override;
  int64_t low_channels() const override { return low_channels_; }
  int64_t high_channels() const override { return high_channels_; }

 private:
  std::unique_ptr<ConvNormActivation> stem_;
  std::vector<std::unique_ptr<InvertedResidual>> low_;
  std::vector<std::unique_ptr<InvertedResidual>> high_;
  std::unique_ptr<ConvNormActivation> last_;
  int64_t low_channels_ = 0;
  int64_t high_channels_ = 0;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_VISION_MOBILENET_V3_BACKBONE_H_
