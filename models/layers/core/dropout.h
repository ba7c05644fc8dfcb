#ifndef ASSAY_MODELS_LAYERS_CORE_DROPOUT_H_
#define ASSAY_MODELS_LAYERS_CORE_DROPOUT_H_

// ---------------------------------------------------------------------------------------------
// models/layers/core/dropout.h: in training, zeroes each element with a probability and divides the
// others by the probability of staying; in evaluation, the identity. As torch.nn.Dropout.
//
// A layer, though it has no tensors, so that SetTraining() and SetDropout() reach it. Its name appears nowhere.
// Numbers come from LibTorch's default generator of the tensor's device (at::manual_seed).
//
// Not for: dropping whole channels or whole residual branches.
//
// Example:
//
//     Dropout dropout{*this, 0.1};
//     at::Tensor y = dropout.Forward(dense.Forward(x));
//     Attend(q, k, v, {.heads = 12, .dropout = dropout.active_probability()});
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include "models/layers/core/layer.h"

namespace assay::models {

class Dropout final : public Layer {
 public:
  // Aborts unless 0 <= probability < 1: a layer that drops everything is a mistake.
  Dropout(Layer& parent, double probability);

  // x itself in evaluation, a new tensor in training.
  at::Tensor Forward(const at::Tensor& x) const;

  // For operators that drop out by themselves: 0 in evaluation, and where it is switched off.
  double active_probability() const { return training() && dropout_on() ? probability_ : 0; }

 private:
  bool Draws() const override { return dropout_on() && probability_ > 0; }

  double probability_;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_CORE_DROPOUT_H_
