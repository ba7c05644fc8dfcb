#include "models/layers/sequence/rms_norm.h"

#include <ATen/ops/rms_norm.h>

#include <utility>

#include "models/layers/core/recipes.h"

namespace assay::models {

RmsNorm::RmsNorm(Layer& parent, std::string name, const RmsNormOptions& options)
    : Layer(parent, std::move(name)), options_(options) {
  AddParameter("weight", {options.features}, options.from_one ? BiasInit() : ScaleInit(), weight_);
}

at::Tensor RmsNorm::Forward(const at::Tensor& x) const {
  if (!options_.from_one) return at::rms_norm(x, {options_.features}, weight_, options_.eps);
  const at::ScalarType wide = x.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
  return at::rms_norm(x.to(wide), {options_.features}, weight_.to(wide).add(1), options_.eps)
      .to(x.scalar_type());
}

}  // namespace assay::models
