#ifndef ASSAY_MODELS_LAYERS_CORE_GROUP_NORM_H_
#define ASSAY_MODELS_LAYERS_CORE_GROUP_NORM_H_

// ---------------------------------------------------------------------------------------------
// models/layers/core/group_norm.h: norm over groups of channels and all that stands behind them; names
// and behaviour of torch.nn.GroupNorm.
//
// Not for: statistics of a batch (batch_norm2d.h).
//
// Example:
//
//     GroupNorm norm{*this, "norm", {.groups = 32, .channels = 64}};
//     at::Tensor y = norm.Forward(x);                       // (N, 64, ...), as x
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

#include "models/layers/core/layer.h"

namespace assay::models {

struct GroupNormOptions {
  int64_t groups;  // they divide the channels
  int64_t channels;
  double eps = 1e-5;
  double gain = 1;  // factor on the scale's recipe
};

class GroupNorm final : public Layer {
 public:
  GroupNorm(Layer& parent, std::string name, const GroupNormOptions& options);

  at::Tensor Forward(const at::Tensor& x) const;

 private:
  GroupNormOptions options_;
  at::Tensor weight_;  // (channels)
  at::Tensor bias_;    // (channels)
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_CORE_GROUP_NORM_H_
