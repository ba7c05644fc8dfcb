#include "models/layers/vision/squeeze_excitation.h"

#include <ATen/ops/adaptive_avg_pool2d.h>

#include <utility>

#include "models/layers/core/gradient.h"

namespace assay::models {

SqueezeExcitation::SqueezeExcitation(Layer& parent, std::string name,
                                     const SqueezeExcitationOptions& options)
    : Layer(parent, std::move(name)),
      fc1_(*this, options.fc1,
           {.in = options.channels,
            .out = options.squeezed,
            .kernel = 1,
            .bias = true,
            .gain = options.gain}),
      fc2_(*this, options.fc2,
           {.in = options.squeezed,
            .out = options.channels,
            .kernel = 1,
            .bias = true,
            .gain = options.gain}),
      activation_(options.activation),
      gate_(options.gate) {}

at::Tensor SqueezeExcitation::Forward(const at::Tensor& x) const {
  at::Tensor scale = fc1_.Forward(at::adaptive_avg_pool2d(x, {1, 1}));
  scale = Activate(gate_, fc2_.Forward(Activate(activation_, std::move(scale))));
  // Under autocast both have the smaller dtype, so in place is right there as well.
  return AutogradRecords(x) ? x.mul(scale) : x.mul_(scale);
}

}  // namespace assay::models
