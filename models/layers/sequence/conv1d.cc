#include "models/layers/sequence/conv1d.h"

#include <ATen/ops/conv1d.h>

#include <utility>

#include "models/layers/core/recipes.h"

namespace assay::models {

Conv1d::Conv1d(Layer& parent, std::string name, const Conv1dOptions& options)
    : Layer(parent, std::move(name)),
      stride_(options.stride),
      padding_(options.padding),
      groups_(options.groups) {
  const int64_t in = options.in / options.groups;
  AddParameter("weight", {options.out, in, options.kernel},
               WeightInit(in * options.kernel, options.gain), weight_);
  if (options.bias) AddParameter("bias", {options.out}, BiasInit(), bias_);
}

at::Tensor Conv1d::Forward(const at::Tensor& x) const {
  return at::conv1d(x, weight_, bias_, stride_, padding_, /*dilation=*/1, groups_);
}

}  // namespace assay::models
