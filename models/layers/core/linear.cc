#include "models/layers/core/linear.h"

#include <ATen/ops/linear.h>
#include <c10/util/Exception.h>

#include <cmath>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "defs/case/lowerings.h"
#include "models/layers/core/operator_by_name.h"
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

void Linear::LowerToInt8(const Lowering& lowering) {
  if (lowering.watches) {
    int8_ = std::make_unique<StaticInt8>(lowering, lowering.layer);
    return;
  }
  const at::Tensor weight = in_first_ ? weight_.t() : weight_;
  packed_.numbers = int8_->Multiply({.weight = weight, .bias = bias_}, {weight, bias_});
  RemoveTensor(weight_);
  weight_.reset();
  AddLoweredWeight("weight_int8", packed_.numbers, packed_.numbers.numel(), packed_.numbers);
}

absl::StatusOr<bool> Linear::LowerSelf(const Lowering& lowering) {
  if (lowering.name == lowerings::kInt8Static) {
    LowerToInt8(lowering);
    return true;
  }
  const WeightRounding* const rounding = FindWeightRounding(lowering.name);
  if (rounding == nullptr) return false;
  const lowerings::Row& row = *lowerings::Find(lowering.name);
  if (row.on_cpu_alone && !weight_.is_cpu()) {
    return absl::FailedPreconditionError(
        absl::StrCat("its kernels are for the CPU; the weights are on ", weight_.device().str()));
  }
  if (!row.capability.empty() && weight_.is_cpu() && !HasKernelForCpu("aten::_scaled_mm_v2", "")) {
    return absl::FailedPreconditionError(
        absl::StrCat("its kernels need a GPU of compute capability ", row.capability,
                     " or above; the weights are on the CPU; --lowering=", lowerings::kFp8Dynamic,
                     " runs there"));
  }
  const at::Tensor weight = (in_first_ ? weight_.t() : weight_).contiguous();
  if (!rounding->fits(weight.sizes())) {
    if (lowering.judged != nullptr) lowering.judged->kept.push_back(lowering.layer);
    return false;
  }
  rounding_ = rounding;
  out_ = weight.size(0);
  const Rounded rounded = rounding->round(weight);
  if (lowering.judged != nullptr) {
    judged_ = std::make_unique<Judged>(Judged{rounded, lowering.layer, lowering.judged});
  }
  packed_ = rounding->pack(rounded, bias_);
  RemoveTensor(weight_);
  weight_.reset();
  AddLoweredWeight(rounding->name, packed_.numbers, weight.numel(), packed_.numbers);
  if (packed_.scales.defined()) AddBuffer("weight_scales", packed_.scales, packed_.scales);
  if (packed_.scale.defined()) AddBuffer("weight_scale", packed_.scale, packed_.scale);
  return true;
}

at::Tensor Linear::Forward(const at::Tensor& x) const {
  if (int8_ && int8_->lowered()) return int8_->Call(x).dequantize();
  if (rounding_ != nullptr) return ForwardRounded(x);
  at::Tensor y = at::linear(x, in_first_ ? weight_.t() : weight_, bias_);
  if (int8_) int8_->Watch(x, y);
  return y;
}

at::Tensor Linear::ForwardRounded(const at::Tensor& x) const {
  std::vector<int64_t> shape = x.sizes().vec();
  shape.back() = out_;
  if (x.numel() == 0) return x.new_empty(shape);
  const at::Tensor rows = x.reshape({-1, x.size(-1)}).contiguous();
  const at::Tensor y = rounding_->multiply(rows, packed_, bias_);
  if (judged_) AddError(rows, y);
  return y.view(shape);
}

// y (rows, out) is the kernel's.
void Linear::AddError(const at::Tensor& x, const at::Tensor& y) const {
  constexpr double kFloat32 = 0x1p-24, kSmallest = 1e-300;
  const double roundoff = y.scalar_type() == at::kBFloat16 ? 0x1p-8
                          : y.scalar_type() == at::kHalf   ? 0x1p-11
                                                           : kFloat32;
  const ReadInput input = rounding_->read(x);
  const at::Tensor weight = rounding_->values(judged_->rounded);
  const at::Tensor product = at::linear(input.values, weight);
  const at::Tensor truth = bias_.defined() ? product + bias_.to(at::kDouble) : product;
  at::Tensor difference = y.to(at::kDouble).sub(truth).abs_();
  if (input.unsure.defined()) difference.sub_(at::linear(input.unsure, weight.abs())).clamp_min_(0);
  const at::Tensor terms = at::linear(input.values.square(), weight.square()).sqrt_();
  const at::Tensor explained =
      product.abs()
          .add_(truth.abs())
          .mul_(roundoff)
          .add_(terms, std::sqrt(static_cast<double>(x.size(1))) * kFloat32)
          .clamp_min_(kSmallest);
  const at::Tensor shares = difference.div_(explained);
  judged_->into->errors.push_back({.layer = judged_->layer,
                                   .rms = shares.square().mean().sqrt().item<double>(),
                                   .worst = shares.max().item<double>()});
}

}  // namespace assay::models
