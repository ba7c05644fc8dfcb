#include "models/layers/token_heads.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cross_entropy_loss.h>

#include <utility>

#include "models/layers/recipes.h"

namespace assay::models {

MaskedLmHead::MaskedLmHead(Layer& parent, std::string name, const MaskedLmHeadOptions& options)
    : Layer(parent, std::move(name)),
      activation_(options.activation),
      dense_(*this, options.dense, {.in = options.features, .out = options.features}),
      norm_(*this, options.norm, {.features = options.features, .eps = options.eps}) {
  AddParameter("bias", {options.vocab_size}, BiasInit(), bias_);
  decoder_ = std::make_unique<Linear>(*this, "decoder",
                                      LinearOptions{.in = options.features,
                                                    .out = options.vocab_size,
                                                    .tied_weight = options.words,
                                                    .tied_bias = &bias_});
}

at::Tensor MaskedLmHead::Forward(const at::Tensor& x) const {
  return decoder_->Forward(norm_.Forward(Activate(activation_, dense_.Forward(x))));
}

at::Tensor TokenLoss(const at::Tensor& logits, const at::Tensor& labels) {
  return at::cross_entropy_loss(logits.flatten(0, 1), labels.flatten());
}

std::vector<at::Tensor> SpanScores(const at::Tensor& scores) {
  return {scores.select(-1, 0).contiguous(), scores.select(-1, 1).contiguous()};
}

at::Tensor SpanLoss(at::ArrayRef<at::Tensor> scores, at::ArrayRef<at::Tensor> positions) {
  return (at::cross_entropy_loss(scores[0], positions[0]) +
          at::cross_entropy_loss(scores[1], positions[1])) /
         2;
}

}  // namespace assay::models
