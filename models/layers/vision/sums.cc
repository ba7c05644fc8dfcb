#include "models/layers/vision/sums.h"

#include <ATen/ops/adaptive_avg_pool2d.h>

#include <utility>

namespace assay::models {

at::Tensor BranchSum::Forward(at::Tensor branch, const at::Tensor& x) {
  if (int8_ && int8_->lowered()) return int8_->Call(branch, x);
  at::Tensor sum = Activate(activation_, std::move(branch.add_(x)));
  if (int8_) int8_->Watch(x, sum);
  return sum;
}

absl::StatusOr<bool> BranchSum::LowerSelf(const Lowering& lowering) {
  if (lowering.name != lowerings::kInt8Static) return false;
  if (lowering.watches) {
    int8_ = std::make_unique<StaticInt8>(lowering, lowering.layer);
  } else {
    int8_->Add(activation_);
  }
  return true;
}

at::Tensor PixelMean::Forward(const at::Tensor& x) const {
  if (int8_ && int8_->lowered()) return int8_->Call(x);
  return at::adaptive_avg_pool2d(x, {1, 1}).flatten(1);
}

absl::StatusOr<bool> PixelMean::LowerSelf(const Lowering& lowering) {
  if (lowering.name != lowerings::kInt8Static) return false;
  if (lowering.watches) {
    int8_ = std::make_unique<StaticInt8>(lowering, lowering.layer);
  } else {
    int8_->Average();
  }
  return true;
}

}  // namespace assay::models
