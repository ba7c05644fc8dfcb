#include "models/layers/core/conv_nd.h"

#include <ATen/ops/conv1d.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/conv_transpose1d.h>
#include <ATen/ops/conv_transpose2d.h>

#include <algorithm>
#include <utility>

#include "models/layers/core/recipes.h"

namespace assay::models {
namespace {

// Products that one element of the result is a sum of. A transposed convolution has fewer at its ends.
int64_t Terms(const ConvNdOptions& options) {
  int64_t terms = options.in;
  for (const int64_t taps : options.kernel) terms *= taps;
  if (!options.transposed) return terms;
  for (const int64_t step : options.stride) terms /= step;
  return std::max<int64_t>(1, terms);
}

std::vector<int64_t> WeightShape(const ConvNdOptions& options) {
  std::vector<int64_t> shape = {options.out, options.in};
  if (options.transposed) std::swap(shape[0], shape[1]);
  shape.insert(shape.end(), options.kernel.begin(), options.kernel.end());
  return shape;
}

}  // namespace

ConvNd::ConvNd(Layer& parent, std::string name, ConvNdOptions options)
    : Layer(parent, std::move(name)), options_(std::move(options)) {
  AddParameter("weight", WeightShape(options_), WeightInit(Terms(options_), options_.gain),
               weight_);
  AddParameter("bias", {options_.out}, BiasInit(), bias_);
}

at::Tensor ConvNd::Forward(const at::Tensor& x) const {
  const ConvNdOptions& o = options_;
  const bool over_one = o.kernel.size() == 1;
  if (o.transposed) {
    return over_one ? at::conv_transpose1d(x, weight_, bias_, o.stride)
                    : at::conv_transpose2d(x, weight_, bias_, o.stride);
  }
  return over_one ? at::conv1d(x, weight_, bias_, o.stride, o.padding, o.dilation)
                  : at::conv2d(x, weight_, bias_, o.stride, o.padding, o.dilation);
}

}  // namespace assay::models
