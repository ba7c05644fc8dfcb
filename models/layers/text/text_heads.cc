#include "models/layers/text/text_heads.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
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

at::Tensor LastScores(const at::Tensor& scores, const at::Tensor& tokens, int64_t padding) {
  const at::Tensor places = at::arange(tokens.size(1), tokens.options());
  const at::Tensor last = (places * tokens.ne(padding)).argmax(-1);
  return scores.gather(1, last.view({-1, 1, 1}).expand({-1, 1, scores.size(2)})).squeeze(1);
}

}  // namespace assay::models
