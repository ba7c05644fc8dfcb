// BERT as Hugging Face transformers builds it (exact GELU, "sdpa" attention): the encoder with
// pooler (BertModel), with a score for each word (BertForMaskedLM), for where an answer begins and
// ends (BertForQuestionAnswering), and for each class of a row (BertForSequenceClassification).
// Tensor names, order and shapes are its state_dict's, so its checkpoints fit.
//
// One difference: transformers looks whether any token is padding and drops the mask if none is.
// This reads a number back from the device in each call, which stalls a GPU and cannot be captured
// in a CUDA graph; here the mask is always applied. The results are the same.

#include <ATen/core/Tensor.h>
#include <ATen/ops/cross_entropy_loss.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/text/bert_encoder.h"
#include "models/layers/text/bert_heads.h"
#include "models/layers/text/text_heads.h"
#include "models/layers/text/word_scores.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

constexpr WordScoresNames kWordScores = {.bias_owner = "cls.predictions",
                                         .dense = "cls.predictions.transform.dense",
                                         .norm = "cls.predictions.transform.LayerNorm",
                                         .decoder = "cls.predictions.decoder"};

class Bert final : public LayeredModel {
 public:
  explicit Bert(const BertOptions& options)
      : trunk_(*this, options), pooler_(*this, "pooler", options.encoder.hidden_size) {}

  // The trunk's inputs -> last_hidden_state (N, S, hidden) and pooler_output (N, hidden).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    const at::Tensor x = trunk_.Forward(inputs);
    return {x, pooler_.Forward(x)};
  }

 private:
  BertTrunk trunk_;
  BertPooler pooler_;
};

class BertForSequenceClassification final : public LayeredModel, public Trainable {
 public:
  BertForSequenceClassification(const BertOptions& options, int64_t classes)
      : trunk_(*this, options),
        pooler_(*this, "bert.pooler", options.encoder.hidden_size),
        classifier_(*this, "classifier", {.in = options.encoder.hidden_size, .out = classes}) {}

  // The trunk's inputs -> logits (N, classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    return {classifier_.Forward(dropout_.Forward(pooler_.Forward(trunk_.Forward(inputs))))};
  }

  // The mean over the rows; labels int64 (N).
  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets) override {
    return at::cross_entropy_loss(outputs[0], targets[0]);
  }

 private:
  BertTrunk trunk_;
  BertPooler pooler_;
  Dropout dropout_{*this, kBertDropout};
  Linear classifier_;
};

ASSAY_MODEL_IMPLEMENTATION(
    "bert", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      absl::StatusOr<BertOptions> options = ReadBertOptions("bert", parameters);
      if (!options.ok()) return options.status();
      options->prefix = "";
      return std::make_unique<Bert>(*options);
    });

ASSAY_MODEL_IMPLEMENTATION(
    "bert_masked_lm", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const absl::StatusOr<BertOptions> options = ReadBertOptions("bert_masked_lm", parameters);
      if (!options.ok()) return options.status();
      return std::make_unique<ForWords<BertTrunk>>(
          *options, kWordScores,
          ForWordsOptions{.in = options->encoder.hidden_size,
                          .layer_norm_eps = options->encoder.layer_norm_eps,
                          .tied = parameters.Flag("tie_word_embeddings")});
    });

ASSAY_MODEL_IMPLEMENTATION("bert_question_answering", [](const Parameters& parameters) {
  return BertForQuestionAnswering(ReadBertOptions("bert_question_answering", parameters));
});

ASSAY_MODEL_IMPLEMENTATION("bert_sequence_classification",
                           [](const Parameters& parameters)
                               -> absl::StatusOr<std::unique_ptr<Model>> {
                             const absl::StatusOr<BertOptions> options =
                                 ReadBertOptions("bert_sequence_classification", parameters);
                             if (!options.ok()) return options.status();
                             return std::make_unique<BertForSequenceClassification>(
                                 *options, parameters.Integer("num_labels"));
                           });

}  // namespace
}  // namespace assay::models
