#ifndef ASSAY_MODELS_LAYERS_NORM_DOWNSAMPLE_H_
#define ASSAY_MODELS_LAYERS_NORM_DOWNSAMPLE_H_

// ---------------------------------------------------------------------------------------------
// models/layers/norm_downsample.h: what halves the image between the stages of ConvNeXt networks.
//
//     x ── layer norm over the channels ("0") ── convolution 2x2 with stride 2 ("1") ──
//
// Not for: batch norms, which stand behind the convolution.
//
// Example:
//
//     NormDownsample down{*this, "features.2", /*in=*/96, /*out=*/192, /*eps=*/1e-6};
//     at::Tensor y = down.Forward(x);                    // (N, 96, H, W) -> (N, 192, H / 2, W / 2)
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <utility>

#include "models/layers/conv2d.h"
#include "models/layers/layer.h"
#include "models/layers/layer_norm.h"

namespace assay::models {

class NormDownsample final : public Layer {
 public:
  NormDownsample(Layer& parent, std::string name, int64_t in, int64_t out, double eps)
      : Layer(parent, std::move(name)),
        norm_(*this, "0", {.features = in, .eps = eps}),
        conv_(*this, "1", {.in = in, .out = out, .kernel = 2, .stride = 2, .bias = true}) {}

  at::Tensor Forward(const at::Tensor& x) const {
    return conv_.Forward(norm_.ForwardOverChannels(x));
  }

 private:
  LayerNorm norm_;
  Conv2d conv_;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_NORM_DOWNSAMPLE_H_
