#ifndef ASSAY_MODELS_LAYERS_VISION_BACKBONE_H_
#define ASSAY_MODELS_LAYERS_VISION_BACKBONE_H_

// ---------------------------------------------------------------------------------------------
// models/layers/vision/backbone.h: the convolutions of an image classifier, which networks for other tasks
// put other heads on.
//
//     image ── ... ── low ── ... ── high
//
// Not for: heads.
//
// Example:
//
//     at::Tensor low = backbone.Low(image);
//     at::Tensor high = backbone.High(low);              // (N, backbone.high_channels(), h, w)
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace assay::models {

class Backbone {
 public:
  virtual ~Backbone() = default;

  // Image (N, 3, H, W) -> features from the middle of the network.
  virtual at::Tensor Low(const at::Tensor& image) = 0;
  // The result of Low() -> features from the end of the network. If it is moved in, `low` is freed
  // on the way.
  virtual at::Tensor High(at::Tensor low) = 0;

  virtual int64_t low_channels() const = 0;
  virtual int64_t high_channels() const = 0;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_VISION_BACKBONE_H_
