#include "models/layers/core/linear.h"

#include <ATen/ops/linear.h>
#include <c10/util/Exception.h>

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "defs/case/lowerings.h"
#include "models/layers/core/recipes.h"

namespace assay::models {

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

absl::StatusOr<bool> Linear::LowerSelf(const Lowering& lowering) {
  const WeightRounding* const rounding = FindWeightRounding(lowering.name);
  if (rounding == nullptr) return false;
  if (lowerings::Find(lowering.name)->on_cpu_alone && !weight_.is_cpu()) {
    return absl::FailedPreconditionError(
        absl::StrCat("its kernels are for the CPU; the weights are on ", weight_.device().str()));
  }
  const at::Tensor weight = (in_first_ ? weight_.t() : weight_).contiguous();
  if (!rounding->fits(weight.sizes())) return false;
  rounding_ = rounding;
  const Rounded rounded = rounding->round(weight);
  if (lowering.errors != nullptr) {
    judged_ =
        std::make_unique<Judged>(Judged{rounded, std::string(lowering.layer), lowering.errors});
  }
  packed_ = rounding->pack(rounded, bias_);
  RemoveTensor(weight_);
  weight_.reset();
  AddLoweredWeight(rounding->name, packed_.numbers, weight.numel(), packed_.numbers);
  if (packed_.scales.defined()) AddBuffer("weight_scales", packed_.scales, packed_.scales);
  return true;
}

at::Tensor Linear::Forward(const at::Tensor& x) const {
  if (rounding_ == nullptr) return at::linear(x, in_first_ ? weight_.t() : weight_, bias_);
  const at::Tensor rows = x.flatten(0, -2).contiguous();
  const at::Tensor y = rounding_->multiply(rows, packed_, bias_);
  if (judged_) AddError(rows, y);
  std::vector<int64_t> shape = x.sizes().vec();
  shape.back() = y.size(1);
  return y.view(shape);
}

// y (rows, out) is the kernel's.
void Linear::AddError(const at::Tensor& x, const at::Tensor& y) const {
  constexpr double kSmallestScale = 1e-300;
  at::Tensor bias;
  if (bias_.defined()) bias = bias_.to(at::kDouble);
  const ReadInput input = rounding_->read(x);
  const at::Tensor weight = rounding_->values(judged_->rounded);
  const at::Tensor truth = at::linear(input.values, weight, bias);
  at::Tensor difference = y.to(at::kDouble).sub(truth).abs_();
  if (input.unsure.defined()) difference.sub_(at::linear(input.unsure, weight.abs())).clamp_min_(0);
  const at::Tensor scale = truth.std(/*unbiased=*/false).clamp_min(kSmallestScale);
  judged_->errors->push_back(
      {.layer = judged_->layer,
       .in = x.size(1),
       .rms = difference.square().mean().sqrt().div(scale).item<double>(),
       .worst = difference.div(truth.abs().add(scale)).max().item<double>()});
}

}  // namespace assay::models
