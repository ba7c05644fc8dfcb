#include "models/layers/vision/conv_transpose2d.h"

#include <ATen/ops/conv_transpose2d.h>

#include <utility>

#include "models/layers/core/recipes.h"

namespace assay::models {

ConvTranspose2d::ConvTranspose2d(Layer& parent, std::string name,
                                 const ConvTranspose2dOptions& options)
    : Layer(parent, std::move(name)),
      stride_(options.stride),
      padding_(options.padding),
      output_padding_(options.output_padding) {
  const int64_t taps = options.kernel / options.stride;
  AddParameter("weight", {options.in, options.out, options.kernel, options.kernel},
               WeightInit(options.in * taps * taps, options.gain), weight_);
  if (options.bias) AddParameter("bias", {options.out}, BiasInit(), bias_);
}

at::Tensor ConvTranspose2d::Forward(const at::Tensor& x) const {
  return at::conv_transpose2d(x, weight_, bias_, {stride_, stride_}, {padding_, padding_},
                              {output_padding_, output_padding_});
}

}  // namespace assay::models
