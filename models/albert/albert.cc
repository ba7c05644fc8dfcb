// ALBERT (version 2) as Hugging Face transformers builds it (GELU by tanh, "sdpa" attention, no
// dropout): with a score for each word (AlbertForMaskedLM) and for where an answer begins and ends
// (AlbertForQuestionAnswering). Tensor names, order and shapes are its state_dict's, so its
// checkpoints fit.
//
// One layer's tensors serve all layers, and word vectors are narrower than the layer, with a
// projection between.

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/layer.h"
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/linear.h"
#include "models/layers/sequence/attention.h"
#include "models/layers/sequence/residual_sum.h"
#include "models/layers/text/bert_encoder.h"
#include "models/layers/text/bert_heads.h"
#include "models/layers/text/feed_forward.h"
#include "models/layers/text/text_heads.h"
#include "models/layers/text/word_scores.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr WordScoresNames kWordScores = {.bias_owner = "predictions",
                                         .dense = "predictions.dense",
                                         .norm = "predictions.LayerNorm",
                                         .decoder = "predictions.decoder",
                                         .norm_first = true};

// The layer that is used num_hidden_layers times.
class SharedLayer final : public Layer {
 public:
  SharedLayer(Layer& parent, std::string name, const BertEncoderOptions& options)
      : Layer(parent, std::move(name)),
        heads_(options.num_attention_heads),
        output_norm_(*this, "full_layer_layer_norm", Norm(options)),
        query_(*this, "attention.query", Square(options, kBertQueryKeyGain)),
        key_(*this, "attention.key", Square(options, kBertQueryKeyGain)),
        value_(*this, "attention.value", Square(options, 1)),
        dense_(*this, "attention.dense", Square(options, kBertAttentionOutputGain)),
        attention_norm_(*this, "attention.LayerNorm", Norm(options)),
        feed_forward_(*this, {"ffn", "ffn_output"},
                      {.features = options.hidden_size,
                       .hidden = options.intermediate_size,
                       .activation = Activation::kGeluTanh}) {}

  at::Tensor Forward(const at::Tensor& x, const at::Tensor& mask) const {
    const at::Tensor attended = dense_.Forward(Attend(
        query_.Forward(x), key_.Forward(x), value_.Forward(x), {.heads = heads_, .mask = mask}));
    const at::Tensor y = attention_norm_.Forward(ResidualSum(attended, x));
    return output_norm_.Forward(ResidualSum(feed_forward_.Forward(y), y));
  }

 private:
  static LinearOptions Square(const BertEncoderOptions& options, double gain) {
    return {.in = options.hidden_size, .out = options.hidden_size, .gain = gain};
  }
  static LayerNormOptions Norm(const BertEncoderOptions& options) {
    return {.features = options.hidden_size, .eps = options.layer_norm_eps};
  }

  int64_t heads_;
  LayerNorm output_norm_;
  Linear query_;
  Linear key_;
  Linear value_;
  Linear dense_;
  LayerNorm attention_norm_;
  FeedForward feed_forward_;
};

class Trunk {
 public:
  using Options = BertOptions;

  Trunk(Layer& parent, const BertOptions& options)
      : layers_(options.encoder.num_hidden_layers),
        embeddings_(parent, "albert.embeddings", options.embeddings),
        projection_(parent, "albert.encoder.embedding_hidden_mapping_in",
                    {.in = options.embeddings.features, .out = options.encoder.hidden_size}),
        layer_(parent, "albert.encoder.albert_layer_groups.0.albert_layers.0", options.encoder) {}

  // input_ids, attention_mask and token_type_ids, int64 (N, S) -> (N, S, hidden).
  at::Tensor Forward(at::ArrayRef<at::Tensor> inputs) const {
    at::Tensor x = projection_.Forward(embeddings_.Forward(inputs[0], inputs[2]));
    const at::Tensor mask = PaddingMask(inputs[1], x.scalar_type());
    for (int64_t i = 0; i < layers_; ++i) x = layer_.Forward(x, mask);
    return x;
  }

  const at::Tensor& words() const { return embeddings_.words(); }

 private:
  int64_t layers_;
  BertEmbeddings embeddings_;
  Linear projection_;
  SharedLayer layer_;
};

absl::StatusOr<BertOptions> ReadOptions(std::string_view implementation,
                                        const Parameters& parameters) {
  absl::StatusOr<BertOptions> options = ReadBertOptions(implementation, parameters);
  if (!options.ok()) return options;
  options->embeddings.features = parameters.Integer("embedding_size");
  options->embeddings.dropout = 0;
  return options;
}

ASSAY_MODEL_IMPLEMENTATION(
    "albert_masked_lm", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const absl::StatusOr<BertOptions> options = ReadOptions("albert_masked_lm", parameters);
      if (!options.ok()) return options.status();
      return std::make_unique<ForWords<Trunk>>(
          *options, kWordScores,
          ForWordsOptions{.in = options->encoder.hidden_size,
                          .layer_norm_eps = options->encoder.layer_norm_eps,
                          .activation = Activation::kGeluTanh});
    });

ASSAY_MODEL_IMPLEMENTATION("albert_question_answering", [](const Parameters& parameters) {
  return BertForQuestionAnswering<Trunk>(ReadOptions("albert_question_answering", parameters));
});

}  // namespace
}  // namespace assay::models
