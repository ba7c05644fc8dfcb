// RoBERTa and CamemBERT as Hugging Face transformers builds them (exact GELU, "sdpa" attention):
// with a score for each word, masked (RobertaForMaskedLM, CamembertForMaskedLM) or the next one
// (RobertaForCausalLM), and for where an answer begins and ends (RobertaForQuestionAnswering).
// Tensor names, order and shapes are its state_dict's, so its checkpoints fit.
//
// They are BERT but for the positions, which are counted over the tokens that are no padding, and
// begin behind the padding's number. All tokens are of the first type.

#include <string_view>

#include "absl/status/statusor.h"
#include "models/layers/text/bert_encoder.h"
#include "models/layers/text/bert_heads.h"
#include "models/layers/text/word_scores.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr WordScoresNames kWordScores = {.bias_owner = "lm_head",
                                         .dense = "lm_head.dense",
                                         .norm = "lm_head.layer_norm",
                                         .decoder = "lm_head.decoder"};

absl::StatusOr<BertOptions> ReadOptions(std::string_view implementation,
                                        const Parameters& parameters) {
  absl::StatusOr<BertOptions> options = ReadBertOptions(implementation, parameters);
  if (!options.ok()) return options;
  options->prefix = "roberta.";
  options->embeddings.pad_token_id = parameters.Integer("pad_token_id");
  options->embeddings.counted_positions = true;
  return options;
}

ASSAY_MODEL_IMPLEMENTATION("roberta_lm", [](const Parameters& parameters) {
  return BertForWords(ReadOptions("roberta_lm", parameters), kWordScores, parameters);
});

ASSAY_MODEL_IMPLEMENTATION("roberta_question_answering", [](const Parameters& parameters) {
  return BertForQuestionAnswering(ReadOptions("roberta_question_answering", parameters));
});

}  // namespace
}  // namespace assay::models
