#ifndef ASSAY_MODELS_LAYERS_CORE_GRADIENT_H_
#define ASSAY_MODELS_LAYERS_CORE_GRADIENT_H_

// ---------------------------------------------------------------------------------------------
// models/layers/core/gradient.h: whether autograd records what is done to a tensor.
//
// Asked before an in-place operator whose gradient needs the input that it overwrites (gelu_; in
// contrast relu_ and tanh_ need their result only): autograd would copy the input first. That has
// nothing to do with training(): a model that evaluates can be differentiated, and a forward pass
// in training mode can be run under c10::NoGradGuard.
//
// Not for: dropout and batch statistics, which follow training().
//
// Example:
//
//     x = AutogradRecords(x) ? at::gelu(x) : at::gelu_(x);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>
#include <c10/core/GradMode.h>

namespace assay::models {

inline bool AutogradRecords(const at::Tensor& x) {
  return c10::GradMode::is_enabled() && x.requires_grad();
}

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_CORE_GRADIENT_H_
