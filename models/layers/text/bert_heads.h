#ifndef ASSAY_MODELS_LAYERS_TEXT_BERT_HEADS_H_
#define ASSAY_MODELS_LAYERS_TEXT_BERT_HEADS_H_

// ---------------------------------------------------------------------------------------------
// models/layers/text/bert_heads.h: models of text_heads.h whose trunk is made of BertOptions, as BERT's
// kin register them.
//
// Not for: trunks with options of their own (distilbert, layoutlm).
//
// Example:
//
//     ASSAY_MODEL_IMPLEMENTATION("bert_question_answering", [](const Parameters& parameters) {
//       return BertForQuestionAnswering(ReadBertOptions("bert_question_answering", parameters));
//     });
// ---------------------------------------------------------------------------------------------

#include <memory>

#include "absl/status/statusor.h"
#include "models/layers/text/bert_encoder.h"
#include "models/layers/text/text_heads.h"
#include "models/layers/text/word_scores.h"
#include "models/model.h"
#include "models/parameters.h"

namespace assay::models {

// The parameter is_decoder says whether the scores are of the next word, so that a token sees none
// behind it.
template <typename Trunk = BertTrunk>
absl::StatusOr<std::unique_ptr<Model>> BertForWords(absl::StatusOr<BertOptions> options,
                                                    const WordScoresNames& names,
                                                    const Parameters& parameters) {
  if (!options.ok()) return options.status();
  options->causal = parameters.Flag("is_decoder");
  return std::make_unique<ForWords<Trunk>>(
      *options, names,
      ForWordsOptions{.in = options->encoder.hidden_size,
                      .layer_norm_eps = options->encoder.layer_norm_eps,
                      .next = options->causal});
}

template <typename Trunk = BertTrunk>
absl::StatusOr<std::unique_ptr<Model>> BertForQuestionAnswering(
    const absl::StatusOr<BertOptions>& options) {
  if (!options.ok()) return options.status();
  return std::make_unique<ForQuestionAnswering<Trunk>>(*options, options->encoder.hidden_size);
}

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_TEXT_BERT_HEADS_H_
