#include "models/layers/core/layer_norm.h"

#include <ATen/ops/layer_norm.h>

#include <utility>

#include "models/layers/core/recipes.h"

namespace assay::models {

LayerNorm::LayerNorm(Layer& parent, std::string name, const LayerNormOptions& options)
    : Layer(parent, std::move(name)), options_(options) {
  AddParameter("weight", {options.features}, ScaleInit(), weight_);
  AddParameter("bias", {options.features}, BiasInit(), bias_);
}

at::Tensor LayerNorm::Forward(const at::Tensor& x) const {
  return at::layer_norm(x, {options_.features}, weight_, bias_, options_.eps);
}

}  // namespace assay::models
