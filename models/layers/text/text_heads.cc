#include "models/layers/text/text_heads.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cross_entropy_loss.h>

namespace assay::models {

at::Tensor WordLoss(const at::Tensor& logits, const at::Tensor& labels) {
  return at::cross_entropy_loss(logits.flatten(0, 1), labels.flatten());
}

at::Tensor NextWordLoss(const at::Tensor& logits, const at::Tensor& labels) {
  const int64_t predicted = labels.size(1) - 1;
  return WordLoss(logits.narrow(1, 0, predicted), labels.narrow(1, 1, predicted));
}

std::vector<at::Tensor> AnswerScores(const at::Tensor& scores) {
  return {scores.select(-1, 0).contiguous(), scores.select(-1, 1).contiguous()};
}

at::Tensor AnswerLoss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets) {
  return (at::cross_entropy_loss(outputs[0], targets[0]) +
          at::cross_entropy_loss(outputs[1], targets[1])) /
         2;
}

}  // namespace assay::models
