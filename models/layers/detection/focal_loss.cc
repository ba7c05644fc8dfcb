#include "models/layers/detection/focal_loss.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/binary_cross_entropy_with_logits.h>

namespace assay::models {

at::Tensor FocalLoss(const at::Tensor& logits, const at::Tensor& targets, double gamma) {
  constexpr double kAlpha = 0.25;
  const at::Tensor p = logits.sigmoid();
  const at::Tensor entropy = at::binary_cross_entropy_with_logits(
      logits, targets, /*weight=*/{}, /*pos_weight=*/{}, at::Reduction::None);
  const at::Tensor p_t = p * targets + (1 - p) * (1 - targets);
  const at::Tensor alpha_t = kAlpha * targets + (1 - kAlpha) * (1 - targets);
  return (alpha_t * entropy * (1 - p_t).pow(gamma)).sum();
}

}  // namespace assay::models
