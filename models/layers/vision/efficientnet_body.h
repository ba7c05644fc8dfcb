#ifndef ASSAY_MODELS_LAYERS_VISION_EFFICIENTNET_BODY_H_
#define ASSAY_MODELS_LAYERS_VISION_EFFICIENTNET_BODY_H_

// ---------------------------------------------------------------------------------------------
// models/layers/vision/efficientnet_body.h: the convolutions of EfficientNet, from the image to the last of
// its stages, with torchvision's names or timm's.
//
// Not for: the convolution and the classifier behind the stages (models/efficientnet).
//
// Example:
//
//     EfficientNetBody body{*this, {.stages = EfficientNetB()}};  // "features.0", "features.1.0", ...
//     at::Tensor y = body.Forward(image);                         // (N, 3, 224, 224) -> (N, 320, 7, 7)
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "models/layers/core/layer.h"
#include "models/layers/vision/conv_norm_activation.h"
#include "models/layers/vision/inverted_residual.h"

namespace assay::models {

struct EfficientNetStage {
  int64_t expansion;
  int64_t kernel;
  int64_t stride;  // of the first block
  int64_t in;
  int64_t out;
  int64_t layers;
  bool fused = false;
};

// The stages of B0 to B7.
std::vector<EfficientNetStage> EfficientNetB();

struct EfficientNetBodyOptions {
  std::vector<EfficientNetStage> stages;
  double width_multiplier = 1;
  double depth_multiplier = 1;
  bool pads_by_size = false;  // where a convolution has a stride
  double norm_epsilon = 1e-5;
  double norm_momentum = 0.1;
  double stochastic_depth = 0.2;  // towards the last block
  // Factor on the weights' recipe, for what SiLU and gates take away.
  double gain = std::numbers::sqrt2;
  std::optional<std::string> timm = {};  // timm's names, this in front of them

  int64_t Width(int64_t channels) const;
  int64_t Depth(int64_t layers) const;
  ConvNormActivationOptions Convolution(int64_t in, int64_t out, int64_t kernel,
                                        int64_t stride) const;
};

class EfficientNetBody final {
 public:
  // Adds its layers to `parent`.
  EfficientNetBody(Layer &parent, const EfficientNetBodyOptions &options);

  // Images (N, 3, H, W) -> features of the last stage. Also appends those of each stage to `stages`.
  at::Tensor Forward(const at::Tensor &image, std::vector<at::Tensor> *stages = nullptr);

 private:
  ConvNormActivation stem_;
  std::vector<std::vector<std::unique_ptr<InvertedResidual>>> stages_;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_VISION_EFFICIENTNET_BODY_H_
