#include "models/layers/conv1d.h"

#include <ATen/ops/conv1d.h>

#include <utility>

#include "models/layers/recipes.h"

namespace assay::models {

Conv1d::Conv1d(Layer& parent, std::string name, const Conv1dOptions& options)
    : Layer(parent, std::move(name)) {
  AddParameter("weight", {options.out, options.in, options.kernel},
               WeightInit(options.in * options.kernel), weight_);
  if (options.bias) AddParameter("bias", {options.out}, BiasInit(), bias_);
}

at::Tensor Conv1d::Forward(const at::Tensor& x) const { return at::conv1d(x, weight_, bias_); }

}  // namespace assay::models
