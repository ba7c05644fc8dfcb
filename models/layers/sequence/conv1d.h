#ifndef ASSAY_MODELS_LAYERS_SEQUENCE_CONV1D_H_
#define ASSAY_MODELS_LAYERS_SEQUENCE_CONV1D_H_

// ---------------------------------------------------------------------------------------------
// models/layers/sequence/conv1d.h: 1-d convolution over the last dimension; names and shapes of
// torch.nn.Conv1d.
//
// Not for: dilation (no family here has one yet).
//
// Example:
//
//     Conv1d in{*this, "in", {.in = 80, .out = 128, .kernel = 5}};
//     at::Tensor y = in.Forward(x);                    // (N, 80, 9) -> (N, 128, 5)
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

#include "models/layers/core/layer.h"

namespace assay::models {

struct Conv1dOptions {
  int64_t in;
  int64_t out;
  int64_t kernel;
  int64_t stride = 1;
  int64_t padding = 0;  // zeros on both sides
  int64_t groups = 1;
  bool bias = false;  // as Conv2dOptions: nearly every convolution here has a norm behind it
  double gain = 1;    // factor on the weight's recipe
};

class Conv1d final : public Layer {
 public:
  Conv1d(Layer& parent, std::string name, const Conv1dOptions& options);

  at::Tensor Forward(const at::Tensor& x) const;

 private:
  int64_t stride_;
  int64_t padding_;
  int64_t groups_;
  at::Tensor weight_;  // (out, in / groups, kernel)
  at::Tensor bias_;    // (out), or undefined
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_SEQUENCE_CONV1D_H_
