#include "models/layers/core/conv2d.h"

#include <ATen/ops/conv2d.h>
#include <c10/util/Exception.h>

#include <utility>

#include "models/layers/core/recipes.h"

namespace assay::models {

Conv2d::Conv2d(Layer& parent, std::string name, const Conv2dOptions& options)
    : Layer(parent, std::move(name)),
      stride_(options.stride),
      padding_(options.padding),
      dilation_(options.dilation),
      groups_(options.groups) {
  const int64_t in_per_group = options.in / options.groups;
  const auto [height, width] = options.kernel;
  AddParameter("weight", {options.out, in_per_group, height, width},
               WeightInit(in_per_group * height * width, options.gain), weight_);
  const Init of_bias = options.positive_bias ? ScaleInit() : BiasInit();
  if (options.bias) AddParameter("bias", {options.out}, of_bias, bias_);
}

void Conv2d::SetValues(at::Tensor weight, at::Tensor bias) {
  TORCH_CHECK(weight.sizes() == weight_.sizes() && bias.sizes() == bias_.sizes(), "Conv2d: values ",
              weight.sizes(), " and ", bias.sizes(), " do not fit ", weight_.sizes());
  weight_ = std::move(weight);
  bias_ = std::move(bias);
}

at::Tensor Conv2d::Forward(const at::Tensor& x) const {
  return at::conv2d(x, weight_, bias_, {stride_, stride_}, {padding_.height, padding_.width},
                    {dilation_, dilation_}, groups_);
}

}  // namespace assay::models
