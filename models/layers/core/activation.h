#ifndef ASSAY_MODELS_LAYERS_CORE_ACTIVATION_H_
#define ASSAY_MODELS_LAYERS_CORE_ACTIVATION_H_

// ---------------------------------------------------------------------------------------------
// models/layers/core/activation.h: the element-wise functions behind layers, chosen by data.
//
// Not for: a layer that always has the same one (call ATen's in-place operator there).
//
// Example:
//
//     x = Activate(Activation::kSilu, norm.Forward(x));
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

namespace assay::models {

enum class Activation {
  kNone,
  kRelu,
  kRelu6,
  kLeakyRelu,  // of slope 0.1 below zero, as Darknet has it
  kSilu,
  kHardswish,
  kGelu,
  kGeluTanh,   // the approximation by tanh
  kQuickGelu,  // x * sigmoid(1.702 x)
  kSigmoid,
  kHardsigmoid
};

// x's memory holds the result, unless autograd records what the function needs of x.
at::Tensor Activate(Activation activation, at::Tensor x);

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_CORE_ACTIVATION_H_
