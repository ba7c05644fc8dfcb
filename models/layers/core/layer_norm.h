#ifndef ASSAY_MODELS_LAYERS_CORE_LAYER_NORM_H_
#define ASSAY_MODELS_LAYERS_CORE_LAYER_NORM_H_

// ---------------------------------------------------------------------------------------------
// models/layers/core/layer_norm.h: norm over the last dimension; names of torch.nn.LayerNorm.
//
// It can also normalise over the channels of each pixel, as convolutional networks do.
//
// Not for: norms over several dimensions, RMS norm.
//
// Example:
//
//     LayerNorm norm{*this, "LayerNorm", {.features = 768, .eps = 1e-12}};
//     at::Tensor y = norm.Forward(x);                                        // (..., 768)
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

#include "models/layers/core/layer.h"

namespace assay::models {

struct LayerNormOptions {
  int64_t features;
  double eps = 1e-5;
};

class LayerNorm final : public Layer {
 public:
  LayerNorm(Layer& parent, std::string name, const LayerNormOptions& options);

  at::Tensor Forward(const at::Tensor& x) const;

  // x (N, features, H, W), as the result, which is stored with the channels last.
  at::Tensor ForwardOverChannels(const at::Tensor& x) const {
    return Forward(x.permute({0, 2, 3, 1})).permute({0, 3, 1, 2});
  }

 private:
  LayerNormOptions options_;
  at::Tensor weight_;  // (features)
  at::Tensor bias_;    // (features)
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_CORE_LAYER_NORM_H_
