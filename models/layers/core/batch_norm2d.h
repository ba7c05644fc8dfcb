#ifndef ASSAY_MODELS_LAYERS_CORE_BATCH_NORM2D_H_
#define ASSAY_MODELS_LAYERS_CORE_BATCH_NORM2D_H_

// ---------------------------------------------------------------------------------------------
// models/layers/core/batch_norm2d.h: batch norm over (N, H, W); names and behaviour of
// torch.nn.BatchNorm2d. Evaluation uses the running statistics; training uses the batch's, updates
// the running ones and counts the batch. BatchNorm1d is the same class over (N, L): channels are the
// second dimension in either.
//
// Not for: folding into a convolution (conv_norm_activation.h).
//
// Example:
//
//     BatchNorm2d bn1{*this, "bn1", {.channels = 64}};
//     at::Tensor y = bn1.Forward(conv1.Forward(x)).relu_();
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

#include "models/layers/core/layer.h"

namespace assay::models {

struct BatchNorm2dOptions {
  int64_t channels;
  double eps = 1e-5;
  double momentum = 0.1;  // weight of the newest batch in the running statistics
  double gain = 1;        // factor on the scale's recipe
  bool frozen =
      false;  // torchvision's FrozenBatchNorm2d: all tensors are buffers, which training leaves alone
};

class BatchNorm2d final : public Layer {
 public:
  BatchNorm2d(Layer& parent, std::string name, const BatchNorm2dOptions& options);

  at::Tensor Forward(const at::Tensor& x);

  // The effect of an evaluating norm on a channel, x * scale + shift: two tensors (channels), in float64.
  struct Affine {
    at::Tensor scale, shift;
  };
  Affine AsAffine() const;

 private:
  double eps_;
  double momentum_;
  bool frozen_;
  at::Tensor weight_;               // (channels)
  at::Tensor bias_;                 // (channels)
  at::Tensor running_mean_;         // (channels)
  at::Tensor running_var_;          // (channels)
  at::Tensor num_batches_tracked_;  // int64 scalar
};

using BatchNorm1dOptions = BatchNorm2dOptions;
using BatchNorm1d = BatchNorm2d;

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_CORE_BATCH_NORM2D_H_
