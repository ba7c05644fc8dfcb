#include "models/layers/core/linear.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>
#include <ATen/ops/_weight_int8pack_mm.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/quantize_per_tensor.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "defs/case/lowerings.h"
#include "models/layers/core/recipes.h"

namespace assay::models {
namespace {

// Row lengths must be multiples of this: the kernel of int8_weights reads beyond another row.
constexpr int64_t kInt8Multiple = 16;

// Calls an operator that has no function of its own in ATen's headers.
c10::IValue Called(const char* name, torch::jit::Stack stack) {
  c10::Dispatcher::singleton().findSchemaOrThrow(name, "").callBoxed(stack);
  return std::move(stack.at(0));
}

}  // namespace

Linear::Linear(Layer& parent, std::string name, const LinearOptions& options)
    : Layer(parent, std::move(name)), in_first_(options.in_first) {
  if (options.tied_weight != nullptr) {
    TORCH_CHECK(options.tied_weight->sizes() == at::IntArrayRef({options.out, options.in}),
                "Linear: the tied weight is ", options.tied_weight->sizes(), ", not [", options.out,
                ", ", options.in, "]");
    AddAlias("weight", weight_, *options.tied_weight);
  } else {
    const std::vector<int64_t> shape = in_first_ ? std::vector<int64_t>{options.in, options.out}
                                                 : std::vector<int64_t>{options.out, options.in};
    AddParameter("weight", shape, WeightInit(options.in, options.gain), weight_);
  }
  if (options.tied_bias != nullptr) {
    AddAlias("bias", bias_, *options.tied_bias);
  } else if (options.bias) {
    AddParameter("bias", {options.out}, BiasInit(), bias_);
  }
}

void Linear::ReplaceWeight(at::Tensor int8) {
  RemoveTensor(weight_);
  weight_.reset();
  AddBuffer("weight_int8", std::move(int8), int8_);
}

absl::StatusOr<bool> Linear::RoundWeight() {
  if (!weight_.is_cpu() || weight_.scalar_type() != at::kBFloat16) {
    return absl::FailedPreconditionError(
        absl::StrCat("its kernel is for bf16 on the CPU; the weights are ",
                     c10::toString(weight_.scalar_type()), " on ", weight_.device().str()));
  }
  const at::Tensor weight = (in_first_ ? weight_.t() : weight_).to(at::kFloat);
  if (weight.size(1) % kInt8Multiple != 0) return false;
  // The kernel reads scales in bf16, so the steps are counted by those.
  constexpr double kSteps = 127, kSmallest = 1e-30;
  const at::Tensor scales =
      weight.abs().amax(1).div(kSteps).clamp_min(kSmallest).to(weight_.scalar_type());
  ReplaceWeight(weight.div(scales.to(at::kFloat).unsqueeze(1))
                    .round()
                    .clamp(-kSteps, kSteps)
                    .to(at::kChar)
                    .contiguous());
  AddBuffer("weight_scales", scales, scales_);
  return true;
}

absl::StatusOr<bool> Linear::LowerSelf(std::string_view lowering) {
  if (lowering == lowerings::kInt8Weights) return RoundWeight();
  if (lowering != lowerings::kInt8Dynamic) return false;
  if (!weight_.is_cpu() || weight_.scalar_type() != at::kFloat) {
    return absl::FailedPreconditionError(
        absl::StrCat("its kernels are for float32 on the CPU; the weights are ",
                     c10::toString(weight_.scalar_type()), " on ", weight_.device().str()));
  }
  const at::Tensor weight = (in_first_ ? weight_.t() : weight_).contiguous();
  // As torch.ao's MinMaxObserver for symmetric 8 bits.
  constexpr double kSteps = 127.5, kSmallest = 1.1920928955078125e-07;
  const double scale = std::max(weight.abs().max().item<double>() / kSteps, kSmallest);
  const at::Tensor rounded = at::quantize_per_tensor(weight, scale, 0, at::kQInt8);
  packed_ = std::make_shared<const c10::IValue>(
      Called("quantized::linear_prepack",
             {rounded, bias_.defined() ? c10::IValue(bias_) : c10::IValue()}));
  ReplaceWeight(rounded.int_repr());
  return true;
}

at::Tensor Linear::Forward(const at::Tensor& x) const {
  if (scales_.defined()) {
    const at::Tensor rows = x.flatten(0, -2).contiguous();
    const at::Tensor y = at::_weight_int8pack_mm(rows, int8_, scales_);
    std::vector<int64_t> shape = x.sizes().vec();
    shape.back() = y.size(1);
    return (bias_.defined() ? y + bias_ : y).view(shape);
  }
  if (int8_.defined()) {
    constexpr bool kReduceRange = true;  // the input to 7 bits, so that sums of two products fit 16
    return Called("quantized::linear_dynamic", {x, *packed_, kReduceRange}).toTensor();
  }
  return at::linear(x, in_first_ ? weight_.t() : weight_, bias_);
}

}  // namespace assay::models
