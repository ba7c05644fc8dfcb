// Longformer as Hugging Face transformers builds it (LongformerForMaskedLM): an encoder like RoBERTa's
// whose tokens attend to a window of their neighbours, with a score for each word. Tensor names,
// order and shapes are its state_dict's, so its checkpoints fit.
//
// A window has w tokens on either side, so rows are cut into blocks of w tokens, each of which sees
// three blocks of keys, and rows are padded to whole windows. The first global_tokens tokens of a row
// attend to all tokens, and all attend to them; transformers gives any tokens this role by a mask, of
// which it reads the number of tokens back in each call. They have projections of their own, which are
// in the state where there are no such tokens, too.

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/softmax.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/embedding.h"
#include "models/layers/core/gradient.h"
#include "models/layers/core/layer.h"
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/sequence/attention.h"
#include "models/layers/text/post_norm.h"
#include "models/layers/text/text_heads.h"
#include "models/layers/text/word_scores.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

// transformers' default for hidden_dropout_prob and attention_probs_dropout_prob.
constexpr double kDropout = 0.1;
// The token that pads a row, and the position of such tokens: pad_token_id of all checkpoints.
constexpr int64_t kPadding = 1;

// Factors on the recipes of weights, as in bert.cc: with plain weights attention is nearly uniform,
// and a wrong window or key would not be seen.
constexpr double kQueryKeyGain = 2;
constexpr double kAttentionOutputGain = 0.5;

struct LongformerOptions {
  int64_t vocab_size;
  int64_t hidden_size;
  int64_t num_hidden_layers;
  int64_t num_attention_heads;
  int64_t intermediate_size;
  int64_t attention_window;
  int64_t global_tokens;
  int64_t max_position_embeddings;
  int64_t type_vocab_size;
  double layer_norm_eps;
};

class Embeddings final : public Layer {
 public:
  Embeddings(Layer& parent, std::string name, const LongformerOptions& options)
      : Layer(parent, std::move(name)),
        words_(*this, "word_embeddings",
               {.rows = options.vocab_size, .features = options.hidden_size}),
        types_(*this, "token_type_embeddings",
               {.rows = options.type_vocab_size, .features = options.hidden_size}),
        norm_(*this, "LayerNorm", {.features = options.hidden_size, .eps = options.layer_norm_eps}),
        positions_(*this, "position_embeddings",
                   {.rows = options.max_position_embeddings, .features = options.hidden_size}) {}

  // All tokens are of the first type. Those that are no padding are counted for their positions.
  at::Tensor Forward(const at::Tensor& input_ids) const {
    const at::Tensor counted = input_ids.ne(kPadding).to(at::kLong);
    at::Tensor x = words_.Forward(input_ids);
    x.add_(positions_.Forward(counted.cumsum(1).mul_(counted).add_(kPadding)));
    x.add_(types_.Rows(0, 1));
    return dropout_.Forward(norm_.Forward(x));
  }

  const at::Tensor& words() const { return words_.weight(); }

 private:
  Embedding words_;
  Embedding types_;
  LayerNorm norm_;
  Embedding positions_;
  Dropout dropout_{*this, kDropout};
};

// The rows of a call, cut into blocks. L is a multiple of 2 w.
struct Blocks {
  at::Tensor padded;  // (N, L): true where a token is padding
  // (N, 1, L / w, w, 3 w): true where a query of a block does not see a key of the block before, of
  // its own or of the next: it is too far, beyond the row's ends, padding or a global token.
  at::Tensor hidden;
};

// padded (N, L), whose first `global` tokens are attended to apart.
Blocks BlocksOf(const at::Tensor& padded, int64_t w, int64_t global) {
  const at::Tensor places = at::arange(3 * w, padded.options().dtype(at::kLong));
  const at::Tensor distance = places.unsqueeze(0) - places.narrow(0, 0, w).unsqueeze(1);
  const at::Tensor far = distance.lt(0).logical_or(distance.gt(2 * w));
  at::Tensor apart = padded.clone();
  apart.narrow(1, 0, global).fill_(1);
  // 1 for true, above as well: a trace takes no boolean here.
  const at::Tensor keys = at::constant_pad_nd(apart, {w, w}, 1).unfold(1, 3 * w, w);
  return {.padded = padded, .hidden = far.logical_or(keys.unsqueeze(2)).unsqueeze(1)};
}

// Products of each query of a block with the keys of three blocks: query and key (N, heads, L, d) ->
// (N, heads, L / w, w, 3 w). As in transformers they are computed for overlapping chunks of two
// blocks; those with keys beyond the row's ends are not written.
at::Tensor ScoresInBlocks(const at::Tensor& query, const at::Tensor& key, int64_t w) {
  const int64_t chunks = query.size(2) / w - 1;
  const at::Tensor products =  // (N, heads, chunks, 2 w, 2 w)
      at::matmul(query.unfold(2, 2 * w, w).transpose(-1, -2), key.unfold(2, 2 * w, w));
  at::Tensor scores =
      at::empty({query.size(0), query.size(1), chunks + 1, w, 3 * w}, products.options());
  // The first block of a chunk sees both blocks. The second sees the first as its block before.
  scores.narrow(2, 0, chunks).narrow(4, w, 2 * w).copy_(products.narrow(3, 0, w));
  scores.narrow(2, 1, chunks).narrow(4, 0, w).copy_(products.narrow(3, w, w).narrow(4, 0, w));
  scores.select(2, chunks).narrow(3, w, w).copy_(
      products.select(2, chunks - 1).narrow(2, w, w).narrow(3, w, w));
  return scores;
}

class SelfAttention final : public Layer {
 public:
  SelfAttention(Layer& parent, std::string name, const LongformerOptions& options)
      : Layer(parent, std::move(name)),
        heads_(options.num_attention_heads),
        w_(options.attention_window / 2),
        global_(options.global_tokens),
        query_(*this, "query", Square(options.hidden_size, kQueryKeyGain)),
        key_(*this, "key", Square(options.hidden_size, kQueryKeyGain)),
        value_(*this, "value", Square(options.hidden_size, 1)),
        global_query_(*this, "query_global", Square(options.hidden_size, kQueryKeyGain)),
        global_key_(*this, "key_global", Square(options.hidden_size, kQueryKeyGain)),
        global_value_(*this, "value_global", Square(options.hidden_size, 1)) {}

  // (N, L, hidden) -> the same. What padding attends to is zero.
  at::Tensor Forward(const at::Tensor& x, const Blocks& blocks) const {
    const at::Tensor query = Scaled(query_.Forward(x));
    const at::Tensor key = SplitHeads(key_.Forward(x), heads_);
    const at::Tensor value = SplitHeads(value_.Forward(x), heads_);
    at::Tensor scores = ScoresInBlocks(query, key, w_);
    scores.masked_fill_(blocks.hidden, LowestScore(scores.scalar_type()));
    std::vector<int64_t> shape = scores.sizes().vec();
    if (global_ > 0) {
      shape.back() = global_;
      const at::Tensor of_global = at::matmul(query, key.narrow(2, 0, global_).transpose(-1, -2));
      scores = at::cat({of_global.view(shape), scores}, -1);
    }
    at::Tensor weights = at::softmax(scores, -1);
    const at::Tensor padded = blocks.padded.view({shape[0], 1, shape[2], shape[3], 1});
    weights =
        AutogradRecords(weights) ? weights.masked_fill(padded, 0) : weights.masked_fill_(padded, 0);
    weights = dropout_.Forward(weights);
    const at::Tensor windows = at::constant_pad_nd(value, {0, 0, w_, w_}).unfold(2, 3 * w_, w_);
    at::Tensor attended = at::matmul(weights.narrow(-1, global_, 3 * w_),  // (N, heads, L, d)
                                     windows.transpose(-1, -2))
                              .view(value.sizes());
    if (global_ == 0) return attended.transpose(1, 2).flatten(2);
    attended = attended + at::matmul(weights.narrow(-1, 0, global_).flatten(2, 3),
                                     value.narrow(2, 0, global_));
    const at::Tensor others =
        attended.transpose(1, 2).flatten(2).narrow(1, global_, x.size(1) - global_);
    return at::cat({OfGlobalTokens(x, blocks.padded), others}, 1);
  }

 private:
  static LinearOptions Square(int64_t size, double gain) {
    return {.in = size, .out = size, .gain = gain};
  }

  // In place: `query` is a projection's result.
  at::Tensor Scaled(const at::Tensor& query) const {
    const int64_t features = query.size(2) / heads_;
    return SplitHeads(query.div_(std::sqrt(static_cast<double>(features))), heads_);
  }

  // The result of the global tokens' attention: (N, global_tokens, hidden).
  at::Tensor OfGlobalTokens(const at::Tensor& x, const at::Tensor& padded) const {
    const at::Tensor query = Scaled(global_query_.Forward(x.narrow(1, 0, global_)));
    const at::Tensor key = SplitHeads(global_key_.Forward(x), heads_);
    at::Tensor scores = at::matmul(query, key.transpose(-1, -2));
    scores.masked_fill_(padded.unsqueeze(1).unsqueeze(1), LowestScore(scores.scalar_type()));
    return AttendByScores(scores, SplitHeads(global_value_.Forward(x), heads_),
                          dropout_.active_probability())
        .flatten(2);
  }

  int64_t heads_;
  int64_t w_;
  int64_t global_;
  Linear query_;
  Linear key_;
  Linear value_;
  Linear global_query_;
  Linear global_key_;
  Linear global_value_;
  Dropout dropout_{*this, kDropout};
};

class EncoderLayer final : public Layer {
 public:
  EncoderLayer(Layer& parent, std::string name, const LongformerOptions& options)
      : Layer(parent, std::move(name)),
        attention_(*this, "attention.self", options),
        attention_output_(*this, "attention.output",
                          {.in = options.hidden_size,
                           .out = options.hidden_size,
                           .eps = options.layer_norm_eps,
                           .dropout = kDropout,
                           .gain = kAttentionOutputGain}),
        intermediate_(*this, "intermediate.dense",
                      {.in = options.hidden_size, .out = options.intermediate_size}),
        output_(*this, "output",
                {.in = options.intermediate_size,
                 .out = options.hidden_size,
                 .eps = options.layer_norm_eps,
                 .dropout = kDropout}) {}

  at::Tensor Forward(const at::Tensor& x, const Blocks& blocks) const {
    const at::Tensor y = attention_output_.Forward(attention_.Forward(x, blocks), x);
    return output_.Forward(Activate(Activation::kGelu, intermediate_.Forward(y)), y);
  }

 private:
  SelfAttention attention_;
  PostNorm attention_output_;
  Linear intermediate_;
  PostNorm output_;
};

constexpr WordScoresNames kWordScores = {.bias_owner = "lm_head",
                                         .dense = "lm_head.dense",
                                         .norm = "lm_head.layer_norm",
                                         .decoder = "lm_head.decoder"};

class Trunk {
 public:
  using Options = LongformerOptions;

  Trunk(Layer& parent, const LongformerOptions& options)
      : window_(options.attention_window),
        global_(options.global_tokens),
        embeddings_(parent, "longformer.embeddings", options) {
    for (int64_t i = 0; i < options.num_hidden_layers; ++i) {
      layers_.push_back(std::make_unique<EncoderLayer>(
          parent, absl::StrCat("longformer.encoder.layer.", i), options));
    }
  }

  // input_ids and attention_mask, int64 (N, S) -> (N, S, hidden). The mask has ones for the global
  // tokens.
  at::Tensor Forward(at::ArrayRef<at::Tensor> inputs) const {
    const int64_t tokens = inputs[0].size(1);
    const int64_t missing = (window_ - tokens % window_) % window_;
    at::Tensor x = embeddings_.Forward(at::constant_pad_nd(inputs[0], {0, missing}, kPadding));
    const at::Tensor padded = at::constant_pad_nd(inputs[1].eq(0), {0, missing}, 1);
    const Blocks blocks = BlocksOf(padded, window_ / 2, global_);
    for (const std::unique_ptr<EncoderLayer>& layer : layers_) x = layer->Forward(x, blocks);
    return x.narrow(1, 0, tokens);
  }

  const at::Tensor& words() const { return embeddings_.words(); }

 private:
  int64_t window_;
  int64_t global_;
  Embeddings embeddings_;
  std::vector<std::unique_ptr<EncoderLayer>> layers_;
};

absl::StatusOr<std::unique_ptr<Model>> Build(const Parameters& parameters) {
  absl::Status status =
      CheckMultiple("longformer_masked_lm", parameters, "hidden_size", "num_attention_heads");
  if (!status.ok()) return status;
  const LongformerOptions options = {
      .vocab_size = parameters.Integer("vocab_size"),
      .hidden_size = parameters.Integer("hidden_size"),
      .num_hidden_layers = parameters.Integer("num_hidden_layers"),
      .num_attention_heads = parameters.Integer("num_attention_heads"),
      .intermediate_size = parameters.Integer("intermediate_size"),
      .attention_window = parameters.Integer("attention_window"),
      .global_tokens = parameters.Integer("global_tokens"),
      .max_position_embeddings = parameters.Integer("max_position_embeddings"),
      .type_vocab_size = parameters.Integer("type_vocab_size"),
      .layer_norm_eps = parameters.Real("layer_norm_eps")};
  if (options.attention_window % 2 != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("longformer_masked_lm: attention_window ", options.attention_window,
                     " is odd; a token sees as many tokens before as behind it"));
  }
  const int64_t tokens = parameters.Integer("sequence_length");
  if (options.global_tokens > tokens) {
    return absl::InvalidArgumentError(absl::StrCat("longformer_masked_lm: global_tokens ",
                                                   options.global_tokens,
                                                   " is more than sequence_length ", tokens));
  }
  return std::make_unique<ForWords<Trunk>>(
      options, kWordScores,
      ForWordsOptions{.in = options.hidden_size, .layer_norm_eps = options.layer_norm_eps});
}

ASSAY_MODEL_IMPLEMENTATION("longformer_masked_lm", Build);

}  // namespace
}  // namespace assay::models
