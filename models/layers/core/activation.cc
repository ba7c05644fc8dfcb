#include "models/layers/core/activation.h"

#include <ATen/ops/gelu.h>
#include <ATen/ops/hardsigmoid.h>
#include <ATen/ops/hardswish.h>
#include <ATen/ops/hardtanh.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/silu.h>

#include "models/layers/core/gradient.h"

namespace assay::models {

at::Tensor Activate(Activation activation, at::Tensor x) {
  const bool recorded = AutogradRecords(x);
  switch (activation) {
    case Activation::kNone:
      return x;
    case Activation::kRelu:  // its gradient needs the result alone
      return at::relu_(x);
    case Activation::kRelu6:
      return at::hardtanh_(x, 0, 6);
    case Activation::kLeakyRelu:
      return at::leaky_relu_(x, 0.1);
    case Activation::kSilu:
      return recorded ? at::silu(x) : at::silu_(x);
    case Activation::kHardswish:
      return recorded ? at::hardswish(x) : at::hardswish_(x);
    case Activation::kGelu:
      return recorded ? at::gelu(x) : at::gelu_(x);
    case Activation::kGeluTanh:
      return recorded ? at::gelu(x, "tanh") : at::gelu_(x, "tanh");
    case Activation::kQuickGelu:
      return x * at::sigmoid(1.702 * x);
    case Activation::kSigmoid:
      return at::sigmoid_(x);
    case Activation::kHardsigmoid:
      return recorded ? at::hardsigmoid(x) : at::hardsigmoid_(x);
  }
  return x;
}

}  // namespace assay::models
