// LayoutLM as Hugging Face transformers builds it (exact GELU, "sdpa" attention): with a score for
// each word (LayoutLMForMaskedLM) and for each class of a page (LayoutLMForSequenceClassification).
// Tensor names, order and shapes are its state_dict's, so its checkpoints fit.
//
// It is BERT with embeddings of each token's box on the page: of its four edges, its height and its
// width.

#include <ATen/core/Tensor.h>
#include <ATen/ops/cross_entropy_loss.h>

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/embedding.h"
#include "models/layers/core/layer.h"
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/sequence/attention.h"
#include "models/layers/text/bert_encoder.h"
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

struct LayoutLmOptions {
  BertOptions bert;
  int64_t max_2d_position_embeddings;
};

class Embeddings final : public Layer {
 public:
  Embeddings(Layer& parent, const BertEmbeddingsOptions& options, int64_t places)
      : Layer(parent, "layoutlm.embeddings"),
        words_(*this, "word_embeddings",
               {.rows = options.vocab_size,
                .features = options.features,
                .padding_idx = options.pad_token_id}),
        positions_(*this, "position_embeddings",
                   {.rows = options.max_position_embeddings, .features = options.features}),
        x_(*this, "x_position_embeddings", {.rows = places, .features = options.features}),
        y_(*this, "y_position_embeddings", {.rows = places, .features = options.features}),
        heights_(*this, "h_position_embeddings", {.rows = places, .features = options.features}),
        widths_(*this, "w_position_embeddings", {.rows = places, .features = options.features}),
        types_(*this, "token_type_embeddings",
               {.rows = options.type_vocab_size, .features = options.features}),
        norm_(*this, "LayerNorm", {.features = options.features, .eps = options.layer_norm_eps}) {}

  // boxes int64 (N, S, 4): left, upper, right and lower edge.
  at::Tensor Forward(const at::Tensor& input_ids, const at::Tensor& boxes,
                     const at::Tensor& token_type_ids) const {
    const at::Tensor left = boxes.select(2, 0), upper = boxes.select(2, 1);
    const at::Tensor right = boxes.select(2, 2), lower = boxes.select(2, 3);
    at::Tensor x = words_.Forward(input_ids);
    x.add_(positions_.Rows(0, input_ids.size(1)));
    x.add_(x_.Forward(left)).add_(y_.Forward(upper));
    x.add_(x_.Forward(right)).add_(y_.Forward(lower));
    x.add_(heights_.Forward(lower.sub(upper))).add_(widths_.Forward(right.sub(left)));
    x.add_(types_.Forward(token_type_ids));
    return dropout_.Forward(norm_.Forward(x));
  }

  const at::Tensor& words() const { return words_.weight(); }

 private:
  Embedding words_;
  Embedding positions_;
  Embedding x_;
  Embedding y_;
  Embedding heights_;
  Embedding widths_;
  Embedding types_;
  LayerNorm norm_;
  Dropout dropout_{*this, kBertDropout};
};

class Trunk {
 public:
  using Options = LayoutLmOptions;

  Trunk(Layer& parent, const LayoutLmOptions& options)
      : embeddings_(parent, options.bert.embeddings, options.max_2d_position_embeddings),
        encoder_(parent, "layoutlm.encoder.layer.", options.bert.encoder),
        pooler_(parent, "layoutlm.pooler", options.bert.encoder.hidden_size) {}

  // input_ids, bbox (N, S, 4), attention_mask and token_type_ids, int64 (N, S) -> (N, S, hidden).
  at::Tensor Forward(at::ArrayRef<at::Tensor> inputs) const { return Both(inputs).tokens; }

  // The same -> (N, hidden).
  at::Tensor Pooled(at::ArrayRef<at::Tensor> inputs) const { return Both(inputs).pooled; }

  const at::Tensor& words() const { return embeddings_.words(); }

 private:
  struct Output {
    at::Tensor tokens;
    at::Tensor pooled;
  };

  // transformers pools in every class, whether the head reads it or not.
  Output Both(at::ArrayRef<at::Tensor> inputs) const {
    const at::Tensor x = embeddings_.Forward(inputs[0], inputs[1], inputs[3]);
    const at::Tensor y = encoder_.Forward(x, PaddingMask(inputs[2], x.scalar_type()));
    return {.tokens = y, .pooled = pooler_.Forward(y)};
  }

  Embeddings embeddings_;
  BertEncoder encoder_;
  BertPooler pooler_;
};

class LayoutLmForSequenceClassification final : public LayeredModel, public Trainable {
 public:
  LayoutLmForSequenceClassification(const LayoutLmOptions& options, int64_t classes)
      : trunk_(*this, options),
        classifier_(*this, "classifier", {.in = options.bert.encoder.hidden_size, .out = classes}) {
  }

  // The trunk's inputs -> logits (N, classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    return {classifier_.Forward(dropout_.Forward(trunk_.Pooled(inputs)))};
  }

  // The mean over the rows; labels int64 (N).
  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets) override {
    return at::cross_entropy_loss(outputs[0], targets[0]);
  }

 private:
  Trunk trunk_;
  Dropout dropout_{*this, kBertDropout};
  Linear classifier_;
};

absl::StatusOr<LayoutLmOptions> ReadOptions(std::string_view implementation,
                                            const Parameters& parameters) {
  const absl::StatusOr<BertOptions> bert = ReadBertOptions(implementation, parameters);
  if (!bert.ok()) return bert.status();
  return LayoutLmOptions{
      .bert = *bert,
      .max_2d_position_embeddings = parameters.Integer("max_2d_position_embeddings")};
}

ASSAY_MODEL_IMPLEMENTATION(
    "layoutlm_masked_lm",
    [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const absl::StatusOr<LayoutLmOptions> options = ReadOptions("layoutlm_masked_lm", parameters);
      if (!options.ok()) return options.status();
      return std::make_unique<ForWords<Trunk>>(
          *options, kWordScores,
          ForWordsOptions{.in = options->bert.encoder.hidden_size,
                          .layer_norm_eps = options->bert.encoder.layer_norm_eps});
    });

ASSAY_MODEL_IMPLEMENTATION("layoutlm_sequence_classification",
                           [](const Parameters& parameters)
                               -> absl::StatusOr<std::unique_ptr<Model>> {
                             const absl::StatusOr<LayoutLmOptions> options =
                                 ReadOptions("layoutlm_sequence_classification", parameters);
                             if (!options.ok()) return options.status();
                             return std::make_unique<LayoutLmForSequenceClassification>(
                                 *options, parameters.Integer("num_labels"));
                           });

}  // namespace
}  // namespace assay::models
