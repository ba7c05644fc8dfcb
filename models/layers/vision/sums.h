#ifndef ASSAY_MODELS_LAYERS_VISION_SUMS_H_
#define ASSAY_MODELS_LAYERS_VISION_SUMS_H_

// ---------------------------------------------------------------------------------------------
// models/layers/vision/sums.h: the sum of a branch and its input, and the mean of an image's pixels, for
// models that the lowering int8_static takes: both work on floats and, lowered, on integers
// (static_int8.h). They are layers without tensors; a report of lowered layers has their names.
//
// Not for: other models (add_, at::adaptive_avg_pool2d).
//
// Example:
//
//     BranchSum sum{*this, Activation::kRelu};
//     PixelMean mean{*this};
//     at::Tensor y = sum.Forward(branch.Forward(x), x);
//     at::Tensor features = mean.Forward(y);                   // (N, C, H, W) -> (N, C)
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <memory>

#include "absl/status/statusor.h"
#include "defs/case/lowerings.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/layer.h"
#include "models/layers/core/static_int8.h"

namespace assay::models {

class BranchSum final : public Layer {
 public:
  // `activation`: kNone or kRelu.
  explicit BranchSum(Layer& parent, Activation activation = Activation::kNone)
      : Layer(parent, "add"), activation_(activation) {}

  // Floats of the branch are overwritten.
  at::Tensor Forward(at::Tensor branch, const at::Tensor& x);

 private:
  absl::StatusOr<bool> LowerSelf(const Lowering& lowering) override;

  const Activation activation_;
  std::unique_ptr<StaticInt8> int8_;  // null: not lowered
};

class PixelMean final : public Layer {
 public:
  explicit PixelMean(Layer& parent) : Layer(parent, "avgpool") {}

  at::Tensor Forward(const at::Tensor& x) const;

 private:
  absl::StatusOr<bool> LowerSelf(const Lowering& lowering) override;

  std::unique_ptr<StaticInt8> int8_;  // null: not lowered
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_VISION_SUMS_H_
