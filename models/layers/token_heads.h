#ifndef ASSAY_MODELS_LAYERS_TOKEN_HEADS_H_
#define ASSAY_MODELS_LAYERS_TOKEN_HEADS_H_

// ---------------------------------------------------------------------------------------------
// models/layers/token_heads.h: what stands behind an encoder of tokens: a score for each word at each
// token, scores of where an answer begins and ends, and their losses as transformers computes them.
//
// Not for: scores of whole rows.
//
// Example:
//
//     MaskedLmHead head{*this, "cls.predictions",
//                       {.features = 768, .vocab_size = 30522, .eps = 1e-12, .words = &words.weight()}};
//     at::Tensor logits = head.Forward(x);                               // (N, S, 30522)
//     std::vector<at::Tensor> ends = SpanScores(qa_outputs.Forward(x));  // two of (N, S)
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/layers/activation.h"
#include "models/layers/layer.h"
#include "models/layers/layer_norm.h"
#include "models/layers/linear.h"

namespace assay::models {

struct MaskedLmHeadOptions {
  int64_t features;
  int64_t vocab_size;
  double eps;
  Activation activation = Activation::kGelu;
  const at::Tensor* words;  // the embedding's table, which is the scores' weight as well
  // What families call the projection and the norm before the scores.
  std::string dense = "transform.dense";
  std::string norm = "transform.LayerNorm";
};

class MaskedLmHead final : public Layer {
 public:
  MaskedLmHead(Layer& parent, std::string name, const MaskedLmHeadOptions& options);

  // (N, S, features) -> (N, S, vocabulary).
  at::Tensor Forward(const at::Tensor& x) const;

 private:
  Activation activation_;
  Linear dense_;
  LayerNorm norm_;
  at::Tensor bias_;  // (vocabulary); the scores have it under a second name
  std::unique_ptr<Linear> decoder_;
};

// The mean cross entropy over all tokens; logits (N, S, vocabulary), labels int64 (N, S).
at::Tensor TokenLoss(const at::Tensor& logits, const at::Tensor& labels);

// (N, S, 2) -> scores of each token as an answer's first and as its last, (N, S) each, contiguous.
std::vector<at::Tensor> SpanScores(const at::Tensor& scores);

// The mean of the losses of the first tokens and of the last; positions int64 (N).
at::Tensor SpanLoss(at::ArrayRef<at::Tensor> scores, at::ArrayRef<at::Tensor> positions);

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_TOKEN_HEADS_H_
