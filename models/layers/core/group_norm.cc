#include "models/layers/core/group_norm.h"

#include <ATen/ops/group_norm.h>

#include <utility>

#include "models/layers/core/recipes.h"

namespace assay::models {

GroupNorm::GroupNorm(Layer& parent, std::string name, const GroupNormOptions& options)
    : Layer(parent, std::move(name)), options_(options) {
  AddParameter("weight", {options.channels}, ScaleInit(options.gain), weight_);
  AddParameter("bias", {options.channels}, BiasInit(), bias_);
}

at::Tensor GroupNorm::Forward(const at::Tensor& x) const {
  return at::group_norm(x, options_.groups, weight_, bias_, options_.eps);
}

}  // namespace assay::models
