#include "models/layers/vision/conv3d.h"

#include <ATen/ops/conv3d.h>

#include <utility>

#include "models/layers/core/recipes.h"

namespace assay::models {
namespace {

BatchNorm3dOptions NormBehind(const Conv3dOptions& conv, BatchNorm3dOptions norm) {
  norm.channels = conv.out;
  return norm;
}

}  // namespace

Conv3d::Conv3d(Layer& parent, std::string name, const Conv3dOptions& options)
    : Layer(parent, std::move(name)),
      stride_(options.stride),
      padding_(0),
      groups_(options.groups) {
  const auto [frames, pixels] = options.kernel;
  const int64_t in = options.in / options.groups;
  if (options.padded) padding_ = {frames / 2, pixels / 2};
  AddParameter("weight", {options.out, in, frames, pixels, pixels},
               WeightInit(in * frames * pixels * pixels, options.gain), weight_);
  if (options.bias) AddParameter("bias", {options.out}, BiasInit(), bias_);
}

at::Tensor Conv3d::Forward(const at::Tensor& x) const {
  return at::conv3d(x, weight_, bias_, {stride_.frames, stride_.pixels, stride_.pixels},
                    {padding_.frames, padding_.pixels, padding_.pixels}, /*dilation=*/1, groups_);
}

ConvNorm3d::ConvNorm3d(Layer& parent, const ConvNorm3dNames& names, const Conv3dOptions& conv,
                       const BatchNorm3dOptions& norm, bool relu)
    : conv_(parent, names.conv, conv),
      norm_(parent, names.norm, NormBehind(conv, norm)),
      relu_(relu) {}

}  // namespace assay::models
