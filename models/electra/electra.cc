// ELECTRA as Hugging Face transformers builds it (exact GELU, "sdpa" attention): with a score for
// each word, masked (ElectraForMaskedLM, the generator) or the next one (ElectraForCausalLM), and
// for where an answer begins and ends (ElectraForQuestionAnswering). Tensor names, order and shapes
// are its state_dict's, so its checkpoints fit.
//
// It is BERT with word vectors of a width of their own: where that is not the hidden size, a
// projection stands between.

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string_view>

#include "absl/status/statusor.h"
#include "models/layers/core/layer.h"
#include "models/layers/core/linear.h"
#include "models/layers/sequence/attention.h"
#include "models/layers/text/bert_encoder.h"
#include "models/layers/text/bert_heads.h"
#include "models/layers/text/word_scores.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr WordScoresNames kWordScores = {.bias_owner = nullptr,
                                         .dense = "generator_predictions.dense",
                                         .norm = "generator_predictions.LayerNorm",
                                         .decoder = "generator_lm_head",
                                         .norm_first = true};

class Trunk {
 public:
  using Options = BertOptions;

  Trunk(Layer& parent, const BertOptions& options)
      : causal_(options.causal),
        embeddings_(parent, "electra.embeddings", options.embeddings),
        projection_(Projection(parent, options)),
        encoder_(parent, "electra.encoder.layer.", options.encoder) {}

  // input_ids, attention_mask and token_type_ids, int64 (N, S) -> (N, S, hidden).
  at::Tensor Forward(at::ArrayRef<at::Tensor> inputs) const {
    at::Tensor x = embeddings_.Forward(inputs[0], inputs[2]);
    if (projection_) x = projection_->Forward(x);
    return encoder_.Forward(x, PaddingMask(inputs[1], x.scalar_type(), causal_));
  }

  const at::Tensor& words() const { return embeddings_.words(); }

 private:
  static std::unique_ptr<Linear> Projection(Layer& parent, const BertOptions& options) {
    const int64_t in = options.embeddings.features, out = options.encoder.hidden_size;
    if (in == out) return nullptr;
    return std::make_unique<Linear>(parent, "electra.embeddings_project",
                                    LinearOptions{.in = in, .out = out});
  }

  bool causal_;
  BertEmbeddings embeddings_;
  std::unique_ptr<Linear> projection_;
  BertEncoder encoder_;
};

absl::StatusOr<BertOptions> ReadOptions(std::string_view implementation,
                                        const Parameters& parameters) {
  absl::StatusOr<BertOptions> options = ReadBertOptions(implementation, parameters);
  if (options.ok()) options->embeddings.features = parameters.Integer("embedding_size");
  return options;
}

ASSAY_MODEL_IMPLEMENTATION("electra_lm", [](const Parameters& parameters) {
  return BertForWords<Trunk>(ReadOptions("electra_lm", parameters), kWordScores, parameters);
});

ASSAY_MODEL_IMPLEMENTATION("electra_question_answering", [](const Parameters& parameters) {
  return BertForQuestionAnswering<Trunk>(ReadOptions("electra_question_answering", parameters));
});

}  // namespace
}  // namespace assay::models
