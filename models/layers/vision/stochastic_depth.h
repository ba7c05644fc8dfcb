#ifndef ASSAY_MODELS_LAYERS_VISION_STOCHASTIC_DEPTH_H_
#define ASSAY_MODELS_LAYERS_VISION_STOCHASTIC_DEPTH_H_

// ---------------------------------------------------------------------------------------------
// models/layers/vision/stochastic_depth.h: in training, zeroes a residual branch for each row of the batch
// with a probability and divides the others by the probability of staying; in evaluation, the
// identity. As torchvision.ops.StochasticDepth with mode "row".
//
// A layer, though it has no tensors, so that SetTraining() and SetDropout() reach it. Its name
// appears nowhere. Numbers come from LibTorch's default generator of the tensor's device.
//
// Not for: single elements (models/layers/core/dropout.h).
//
// Example:
//
//     StochasticDepth stochastic_depth{*this, 0.2};
//     at::Tensor y = stochastic_depth.Forward(branch.Forward(x)).add_(x);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "models/layers/core/layer.h"

namespace assay::models {

// The probability of block number `block` of `blocks`: from 0, rising evenly up to that of a block
// number `last`.
inline double StochasticDepthProbability(double highest, int64_t block, int64_t last) {
  return highest * static_cast<double>(block) / static_cast<double>(last);
}

class StochasticDepth final : public Layer {
 public:
  // Aborts unless 0 <= probability < 1.
  StochasticDepth(Layer& parent, double probability);

  // x (N, ...) itself in evaluation, a new tensor in training.
  at::Tensor Forward(const at::Tensor& x) const;

 private:
  bool Draws() const override { return dropout_on() && probability_ > 0; }

  double probability_;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_VISION_STOCHASTIC_DEPTH_H_
