#include "models/layers/vision/diffusion_blocks.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/concat.h>

#include <cmath>
#include <utility>

#include "models/layers/core/activation.h"
#include "models/layers/sequence/attention.h"
#include "models/layers/sequence/residual_sum.h"

namespace assay::models {
namespace {

constexpr double kLongestPeriod = 10000;

}  // namespace

TimeFeatures::TimeFeatures(Layer& parent, int64_t features, int64_t shift) : Layer(parent, "") {
  const double step = -std::log(kLongestPeriod) / static_cast<double>(features / 2 - shift);
  AddConstant(at::arange(features / 2, at::kDouble).mul_(step).exp_(), frequencies_,
              /*keeps_dtype=*/true);
}

at::Tensor TimeFeatures::Forward(const at::Tensor& times, at::ScalarType dtype) const {
  const at::ScalarType wide = dtype == at::kDouble ? at::kDouble : at::kFloat;
  const at::Tensor angles = times.to(wide).unsqueeze(1) * frequencies_.to(wide);
  return at::concat({angles.cos(), angles.sin()}, 1).to(dtype);
}

TwoLinear::TwoLinear(Layer& parent, std::string name, int64_t in, int64_t out)
    : Layer(parent, std::move(name)),
      linear_1_(*this, "linear_1", {.in = in, .out = out}),
      linear_2_(*this, "linear_2", {.in = out, .out = out}) {}

at::Tensor TwoLinear::Forward(const at::Tensor& x) const {
  return linear_2_.Forward(Activate(Activation::kSilu, linear_1_.Forward(x)));
}

ResidualBlock::ResidualBlock(Layer& parent, std::string name, const ResidualBlockOptions& options)
    : Layer(parent, std::move(name)),
      norm1_(*this, "norm1",
             {.groups = options.groups, .channels = options.in, .eps = options.eps}),
      conv1_(*this, "conv1",
             {.in = options.in, .out = options.out, .kernel = 3, .padding = 1, .bias = true}),
      time_(options.time == 0
                ? nullptr
                : std::make_unique<Linear>(*this, "time_emb_proj",
                                           LinearOptions{.in = options.time, .out = options.out})),
      norm2_(*this, "norm2",
             {.groups = options.groups, .channels = options.out, .eps = options.eps}),
      conv2_(*this, "conv2",
             {.in = options.out, .out = options.out, .kernel = 3, .padding = 1, .bias = true}),
      shortcut_(options.in == options.out
                    ? nullptr
                    : std::make_unique<Conv2d>(
                          *this, "conv_shortcut",
                          Conv2dOptions{
                              .in = options.in, .out = options.out, .kernel = 1, .bias = true})) {}

at::Tensor ResidualBlock::Forward(const at::Tensor& x, const at::Tensor& time) const {
  at::Tensor y = conv1_.Forward(Activate(Activation::kSilu, norm1_.Forward(x)));
  if (time_) y.add_(time_->Forward(time).unsqueeze(2).unsqueeze(3));
  y = conv2_.Forward(Activate(Activation::kSilu, norm2_.Forward(y)));
  return ResidualSum(y, shortcut_ ? shortcut_->Forward(x) : x);
}

ProjectedAttention::ProjectedAttention(Layer& parent, std::string name,
                                       const ProjectedAttentionOptions& options)
    : Layer(parent, std::move(name)),
      heads_(options.heads),
      query_(*this, "to_q",
             {.in = options.features, .out = options.features, .bias = options.bias}),
      key_(*this, "to_k", {.in = options.context, .out = options.features, .bias = options.bias}),
      value_(*this, "to_v", {.in = options.context, .out = options.features, .bias = options.bias}),
      out_(*this, "to_out.0", {.in = options.features, .out = options.features}) {}

at::Tensor ProjectedAttention::Forward(const at::Tensor& x, const at::Tensor& context) const {
  return out_.Forward(
      Attend(query_.Forward(x), key_.Forward(context), value_.Forward(context), {.heads = heads_}));
}

}  // namespace assay::models
