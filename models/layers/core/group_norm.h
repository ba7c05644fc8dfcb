#ifndef ASSAY_MODELS_LAYERS_CORE_GROUP_NORM_H_
#define ASSAY_MODELS_LAYERS_CORE_GROUP_NORM_H_

// ---------------------------------------------------------------------------------------------
// models/layers/core/group_norm.h: norm over the pixels and channels of a group of channels; names
// of torch.nn.GroupNorm.
//
// Not for: groups that do not divide the channels (check the parameters of the model).
//
// Example:
//
//     GroupNorm norm{*this, "norm1", {.groups = 32, .channels = 320}};
//     at::Tensor y = norm.Forward(x);                                        // (N, 320, H, W)
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

#include "models/layers/core/layer.h"

namespace assay::models {

struct GroupNormOptions {
  int64_t groups;
  int64_t channels;
  double eps = 1e-5;
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
