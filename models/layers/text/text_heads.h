#ifndef ASSAY_MODELS_LAYERS_TEXT_TEXT_HEADS_H_
#define ASSAY_MODELS_LAYERS_TEXT_TEXT_HEADS_H_

// ---------------------------------------------------------------------------------------------
// models/layers/text/text_heads.h: what stands behind an encoder of tokens in several families, with its
// loss: a score for each word (ForWords), and where an answer begins and ends
// (ForQuestionAnswering); and behind a decoder: a score for each class of a row
// (ForSequenceClassification).
//
// A Trunk is the family's: Trunk(Layer& parent, const Trunk::Options& options), Forward(inputs) ->
// (N, S, hidden), and words(), the table (words, features) of its word embedding.
//
// Not for: classes of a row in encoders, whose heads differ by family.
//
// Example:
//
//     ForWords<Trunk> model(options, kNames, {.in = 768, .layer_norm_eps = 1e-12});
//     ForQuestionAnswering<Trunk> other(options, 768);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>
#include <ATen/ops/cross_entropy_loss.h>

#include <cstdint>
#include <vector>

#include "models/layers/core/activation.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/text/word_scores.h"
#include "models/trainable.h"

namespace assay::models {

// The mean over all tokens. logits (N, S, words), labels int64 (N, S).
at::Tensor WordLoss(const at::Tensor& logits, const at::Tensor& labels);

// Likewise, where a token's logits tell the next one: over all labels but the first.
at::Tensor NextWordLoss(const at::Tensor& logits, const at::Tensor& labels);

// Scores (N, S, 2) -> start_logits and end_logits (N, S).
std::vector<at::Tensor> AnswerScores(const at::Tensor& scores);

// The mean of the first tokens' loss and the last ones'. Targets are both int64 (N).
at::Tensor AnswerLoss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets);

// Scores (N, S, classes) -> those of each row's last token that is no padding, (N, classes). Tokens int64 (N, S).
at::Tensor LastScores(const at::Tensor& scores, const at::Tensor& tokens, int64_t padding);

struct ForWordsOptions {
  int64_t in;
  double layer_norm_eps;
  Activation activation = Activation::kGelu;
  bool tied = true;   // whether the scores' weight is the word embedding's
  bool next = false;  // whether a token's scores are of the next word
};

template <typename Trunk>
class ForWords final : public LayeredModel, public Trainable {
 public:
  ForWords(const typename Trunk::Options& trunk, const WordScoresNames& names,
           const ForWordsOptions& options)
      : next_(options.next),
        trunk_(*this, trunk),
        scores_(*this, names,
                {.in = options.in,
                 .features = trunk_.words().size(1),
                 .vocab_size = trunk_.words().size(0),
                 .layer_norm_eps = options.layer_norm_eps,
                 .activation = options.activation,
                 .words = options.tied ? &trunk_.words() : nullptr}) {}

  // The trunk's inputs -> logits (N, S, words).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    return {scores_.Forward(trunk_.Forward(inputs))};
  }

  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets) override {
    return next_ ? NextWordLoss(outputs[0], targets[0]) : WordLoss(outputs[0], targets[0]);
  }

 private:
  bool next_;
  Trunk trunk_;
  WordScores scores_;
};

template <typename Trunk>
class ForQuestionAnswering final : public LayeredModel, public Trainable {
 public:
  ForQuestionAnswering(const typename Trunk::Options& trunk, int64_t in, double dropout = 0)
      : trunk_(*this, trunk),
        dropout_(*this, dropout),
        scores_(*this, "qa_outputs", {.in = in, .out = 2}) {}

  // The trunk's inputs -> start_logits and end_logits (N, S).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    return AnswerScores(scores_.Forward(dropout_.Forward(trunk_.Forward(inputs))));
  }

  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets) override {
    return AnswerLoss(outputs, targets);
  }

 private:
  Trunk trunk_;
  Dropout dropout_;
  Linear scores_;
};

// A decoder's classes of a row.
template <typename Trunk>
class ForSequenceClassification final : public LayeredModel, public Trainable {
 public:
  ForSequenceClassification(const typename Trunk::Options& trunk, int64_t in, int64_t classes,
                            int64_t padding)
      : padding_(padding),
        trunk_(*this, trunk),
        scores_(*this, "score", {.in = in, .out = classes, .bias = false}) {}

  // Tokens, int64 (N, S) -> logits (N, classes), from each row's last token that is no padding.
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    return {LastScores(scores_.Forward(trunk_.Forward(inputs)), inputs[0], padding_)};
  }

  // The mean over the rows; labels int64 (N).
  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets) override {
    return at::cross_entropy_loss(outputs[0], targets[0]);
  }

 private:
  int64_t padding_;
  Trunk trunk_;
  Linear scores_;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_TEXT_TEXT_HEADS_H_
