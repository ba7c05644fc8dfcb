#ifndef ASSAY_MODELS_LAYERS_LINEAR_H_
#define ASSAY_MODELS_LAYERS_LINEAR_H_

// ---------------------------------------------------------------------------------------------
// models/layers/linear.h: x W^T + b over the last dimension; names and shapes of torch.nn.Linear.
//
// Not for: activations (use the in-place ATen operator on the result, which is a new tensor).
//
// Example:
//
//     Linear dense{*this, "dense", {.in = 768, .out = 3072}};
//     at::Tensor y = dense.Forward(x);                            // (..., 768) -> (..., 3072)
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

#include "models/layers/layer.h"

namespace assay::models {

struct LinearOptions {
  int64_t in;
  int64_t out;
  bool bias = true;
  double gain = 1;  // factor on the weight's recipe
};

class Linear final : public Layer {
 public:
  Linear(Layer& parent, std::string name, const LinearOptions& options);

  at::Tensor Forward(const at::Tensor& x) const;

 private:
  at::Tensor weight_;  // (out, in)
  at::Tensor bias_;    // (out), or undefined
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_LINEAR_H_
