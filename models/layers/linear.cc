#include "models/layers/linear.h"

#include <ATen/ops/linear.h>

#include <utility>

#include "models/layers/recipes.h"

namespace assay::models {

Linear::Linear(Layer& parent, std::string name, const LinearOptions& options)
    : Layer(parent, std::move(name)) {
  AddParameter("weight", {options.out, options.in}, WeightInit(options.in, options.gain), weight_);
  if (options.bias) AddParameter("bias", {options.out}, BiasInit(), bias_);
}

at::Tensor Linear::Forward(const at::Tensor& x) const { return at::linear(x, weight_, bias_); }

}  // namespace assay::models
