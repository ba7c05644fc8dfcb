// RoBERTa and CamemBERT as Hugging Face transformers builds them (exact GELU, "sdpa" attention):
// with a score for each word, masked (RobertaForMaskedLM, CamembertForMaskedLM) or the next one
// (RobertaForCausalLM), and for where an answer begins and ends (RobertaForQuestionAnswering).
// Tensor names, order and shapes are its state_dict's, so its checkpoints fit.
//
// They are BERT but for the positions, which are counted over the tokens that are no padding, and
// begin behind the padding's number. All tokens are of the first type.

#include <memory>
#include <string_view>

#include "absl/status/statusor.h"
#include "models/layers/bert_encoder.h"
#include "models/layers/text_heads.h"
#include "models/layers/word_scores.h"
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

ASSAY_MODEL_IMPLEMENTATION(
    "roberta_lm", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      absl::StatusOr<BertOptions> options = ReadOptions("roberta_lm", parameters);
      if (!options.ok()) return options.status();
      options->causal = parameters.Flag("is_decoder");
      return std::make_unique<ForWords<BertTrunk>>(
          *options, kWordScores,
          ForWordsOptions{.in = options->encoder.hidden_size,
                          .layer_norm_eps = options->encoder.layer_norm_eps,
                          .next = options->causal});
    });

ASSAY_MODEL_IMPLEMENTATION("roberta_question_answering",
                           [](const Parameters& parameters)
                               -> absl::StatusOr<std::unique_ptr<Model>> {
                             const absl::StatusOr<BertOptions> options =
                                 ReadOptions("roberta_question_answering", parameters);
                             if (!options.ok()) return options.status();
                             return std::make_unique<ForQuestionAnswering<BertTrunk>>(
                                 *options, options->encoder.hidden_size);
                           });

}  // namespace
}  // namespace assay::models
