#include "models/layers/linear.h"

#include <ATen/ops/linear.h>
#include <c10/util/Exception.h>

#include <utility>

#include "models/layers/recipes.h"

namespace assay::models {

Linear::Linear(Layer& parent, std::string name, const LinearOptions& options)
    : Layer(parent, std::move(name)) {
  if (options.tied_weight != nullptr) {
    TORCH_CHECK(options.tied_weight->sizes() == at::IntArrayRef({options.out, options.in}),
                "Linear: the tied weight is ", options.tied_weight->sizes(), ", not [", options.out,
                ", ", options.in, "]");
    AddAlias("weight", weight_, *options.tied_weight);
  } else {
    AddParameter("weight", {options.out, options.in}, WeightInit(options.in, options.gain),
                 weight_);
  }
  if (options.tied_bias != nullptr) {
    AddAlias("bias", bias_, *options.tied_bias);
  } else if (options.bias) {
    AddParameter("bias", {options.out}, BiasInit(), bias_);
  }
}

at::Tensor Linear::Forward(const at::Tensor& x) const { return at::linear(x, weight_, bias_); }

}  // namespace assay::models
