#include "models/layers/text/bert_encoder.h"

#include <ATen/ops/cumsum.h>

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/sequence/residual_sum.h"

namespace assay::models {
namespace {

LinearOptions Square(int64_t size, double gain) { return {.in = size, .out = size, .gain = gain}; }

}  // namespace

BertEmbeddings::BertEmbeddings(Layer& parent, std::string name,
                               const BertEmbeddingsOptions& options)
    : Layer(parent, std::move(name)),
      dropout_first_(options.dropout_first),
      pad_token_id_(options.pad_token_id),
      counted_positions_(options.counted_positions),
      words_(*this, "word_embeddings",
             {.rows = options.vocab_size,
              .features = options.features,
              .padding_idx = options.pad_token_id}),
      positions_(counted_positions_ ? nullptr : PositionTable(options)),
      types_(*this, "token_type_embeddings",
             {.rows = options.type_vocab_size, .features = options.features}),
      norm_(*this, "LayerNorm", {.features = options.features, .eps = options.layer_norm_eps}),
      dropout_(*this, options.dropout) {
  if (counted_positions_) positions_ = PositionTable(options);
}

std::unique_ptr<Embedding> BertEmbeddings::PositionTable(const BertEmbeddingsOptions& options) {
  return std::make_unique<Embedding>(
      *this, "position_embeddings",
      EmbeddingOptions{.rows = options.max_position_embeddings,
                       .features = options.features,
                       .padding_idx = counted_positions_ ? pad_token_id_ : -1});
}

at::Tensor BertEmbeddings::Forward(const at::Tensor& input_ids,
                                   const at::Tensor& token_type_ids) const {
  at::Tensor x = words_.Forward(input_ids);
  x.add_(token_type_ids.defined() ? types_.Forward(token_type_ids) : types_.Rows(0, 1));
  x.add_(Positions(input_ids));
  return dropout_first_ ? norm_.Forward(dropout_.Forward(x)) : dropout_.Forward(norm_.Forward(x));
}

at::Tensor BertEmbeddings::Positions(const at::Tensor& input_ids) const {
  if (!counted_positions_) return positions_->Rows(0, input_ids.size(1));
  const at::Tensor counted = input_ids.ne(pad_token_id_);
  return positions_->Forward(at::cumsum(counted, 1).mul_(counted).add_(pad_token_id_));
}

BertLayer::Output::Output(Layer& parent, std::string name, const BertEncoderOptions& options,
                          int64_t in, double gain)
    : Layer(parent, std::move(name)),
      dense_(*this, "dense", {.in = in, .out = options.hidden_size, .gain = gain}),
      norm_(*this, "LayerNorm", {.features = options.hidden_size, .eps = options.layer_norm_eps}) {}

at::Tensor BertLayer::Output::Forward(const at::Tensor& x, const at::Tensor& residual) const {
  return norm_.Forward(ResidualSum(dropout_.Forward(dense_.Forward(x)), residual));
}

BertLayer::BertLayer(Layer& parent, std::string name, const BertEncoderOptions& options)
    : Layer(parent, std::move(name)),
      heads_(options.num_attention_heads),
      activation_(options.activation),
      query_(*this, "attention.self.query", Square(options.hidden_size, kBertQueryKeyGain)),
      key_(*this, "attention.self.key", Square(options.hidden_size, kBertQueryKeyGain)),
      value_(*this, "attention.self.value", Square(options.hidden_size, 1)),
      attention_output_(*this, "attention.output", options, options.hidden_size,
                        kBertAttentionOutputGain),
      intermediate_(*this, "intermediate.dense",
                    {.in = options.hidden_size, .out = options.intermediate_size}),
      output_(*this, "output", options, options.intermediate_size, 1) {}

at::Tensor BertLayer::Forward(const at::Tensor& x, BertAttention attention) const {
  const at::Tensor attended = attention_output_.Forward(
      attention(query_.Forward(x), key_.Forward(x), value_.Forward(x),
                {.heads = heads_, .dropout = dropout_.active_probability()}),
      x);
  return output_.Forward(Activate(activation_, intermediate_.Forward(attended)), attended);
}

BertEncoder::BertEncoder(Layer& parent, std::string_view prefix,
                         const BertEncoderOptions& options) {
  for (int64_t i = 0; i < options.num_hidden_layers; ++i)
    layers_.push_back(std::make_unique<BertLayer>(parent, absl::StrCat(prefix, i), options));
}

at::Tensor BertEncoder::Forward(at::Tensor x, BertAttention attention) const {
  for (const std::unique_ptr<BertLayer>& layer : layers_) x = layer->Forward(x, attention);
  return x;
}

at::Tensor BertEncoder::Forward(at::Tensor x, const at::Tensor& mask) const {
  return Forward(std::move(x), [&mask](const at::Tensor& query, const at::Tensor& key,
                                       const at::Tensor& value, AttentionOptions options) {
    options.mask = mask;
    return Attend(query, key, value, options);
  });
}

BertPooler::BertPooler(Layer& parent, std::string name, int64_t hidden_size)
    : Layer(parent, std::move(name)), dense_(*this, "dense", Square(hidden_size, 1)) {}

absl::StatusOr<BertOptions> ReadBertOptions(std::string_view implementation,
                                            const Parameters& parameters) {
  const absl::Status status =
      CheckMultiple(implementation, parameters, "hidden_size", "num_attention_heads");
  if (!status.ok()) return status;
  const int64_t hidden_size = parameters.Integer("hidden_size");
  const double eps = parameters.Real("layer_norm_eps");
  return BertOptions{
      .embeddings = {.vocab_size = parameters.Integer("vocab_size"),
                     .features = hidden_size,
                     .max_position_embeddings = parameters.Integer("max_position_embeddings"),
                     .type_vocab_size = parameters.Integer("type_vocab_size"),
                     .layer_norm_eps = eps},
      .encoder = {.hidden_size = hidden_size,
                  .num_hidden_layers = parameters.Integer("num_hidden_layers"),
                  .num_attention_heads = parameters.Integer("num_attention_heads"),
                  .intermediate_size = parameters.Integer("intermediate_size"),
                  .layer_norm_eps = eps}};
}

BertTrunk::BertTrunk(Layer& parent, const BertOptions& options)
    : causal_(options.causal),
      embeddings_(parent, options.prefix + "embeddings", options.embeddings),
      encoder_(parent, options.prefix + "encoder.layer.", options.encoder) {}

at::Tensor BertTrunk::Forward(at::ArrayRef<at::Tensor> inputs) const {
  const at::Tensor x = embeddings_.Forward(inputs[0], inputs.size() > 2 ? inputs[2] : at::Tensor());
  return encoder_.Forward(x, PaddingMask(inputs[1], x.scalar_type(), causal_));
}

}  // namespace assay::models
