#ifndef ASSAY_MODELS_LAYERS_SEQUENCE_RMS_NORM_H_
#define ASSAY_MODELS_LAYERS_SEQUENCE_RMS_NORM_H_

// ---------------------------------------------------------------------------------------------
// models/layers/sequence/rms_norm.h: divides the last dimension by its root mean square and scales it; names of
// torch.nn.RMSNorm, and of the norms that transformers' decoders and T5 define for themselves.
//
// Not for: norms that subtract the mean (layer_norm.h).
//
// Example:
//
//     RmsNorm norm{*this, "input_layernorm", {.features = 2048, .eps = 1e-5}};
//     at::Tensor y = norm.Forward(x);                                         // (..., 2048)
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

#include "models/layers/core/layer.h"

namespace assay::models {

struct RmsNormOptions {
  int64_t features;
  double eps = 1e-6;      // added to the mean square
  bool from_one = false;  // the scale is 1 + weight, in float32 at least, as Gemma has it
};

class RmsNorm final : public Layer {
 public:
  RmsNorm(Layer& parent, std::string name, const RmsNormOptions& options);

  at::Tensor Forward(const at::Tensor& x) const;

 private:
  RmsNormOptions options_;
  at::Tensor weight_;  // (features)
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_SEQUENCE_RMS_NORM_H_
