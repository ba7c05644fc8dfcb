#ifndef ASSAY_MODELS_LAYERS_VISION_SQUEEZE_EXCITATION_H_
#define ASSAY_MODELS_LAYERS_VISION_SQUEEZE_EXCITATION_H_

// ---------------------------------------------------------------------------------------------
// models/layers/vision/squeeze_excitation.h: scales each channel by a factor computed from all channels'
// means; by default with the names of torchvision.ops.SqueezeExcitation ("fc1", "fc2").
//
//     x ─┬─ mean over the image ── fc1, activation ── fc2, gate ──┐
//        └────────────────────────────────────────────────────── × ──
//
// Not for: gates by position.
//
// Example:
//
//     SqueezeExcitation se{*this, "block.1", {.channels = 96, .squeezed = 24}};
//     at::Tensor y = se.Forward(x);                                    // (N, 96, H, W), as x
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

#include "models/layers/core/activation.h"
#include "models/layers/core/conv2d.h"
#include "models/layers/core/layer.h"

namespace assay::models {

struct SqueezeExcitationOptions {
  int64_t channels;
  int64_t squeezed;  // channels between fc1 and fc2
  Activation activation = Activation::kRelu;
  Activation gate = Activation::kSigmoid;
  double gain = 1;  // factor on the recipes of both weights
  const char* fc1 = "fc1";
  const char* fc2 = "fc2";
};

class SqueezeExcitation final : public Layer {
 public:
  SqueezeExcitation(Layer& parent, std::string name, const SqueezeExcitationOptions& options);

  // Writes to x unless autograd records it.
  at::Tensor Forward(const at::Tensor& x) const;

 private:
  Conv2d fc1_;
  Conv2d fc2_;
  Activation activation_;
  Activation gate_;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_VISION_SQUEEZE_EXCITATION_H_
