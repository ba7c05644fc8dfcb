// XLNet as Hugging Face transformers builds it (XLNetLMHeadModel): an encoder whose attention knows
// distances, with a score for each word. Tensor names, order and shapes are its state_dict's, so its
// checkpoints fit.
//
// It is called as for fine-tuning: all tokens see all others, there is no memory of earlier segments,
// and no second stream of queries for words to predict. So mask_emb is never read.
//
// A score is the sum of three products of a query, to each of which its own bias is added: with the
// key, with the key of the distance, and with one of two vectors, for tokens of one segment and of
// two. As in bert.cc the mask is always applied; padding is hidden from all tokens but itself.

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <cstdint>
#include <limits>
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
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/core/recipes.h"
#include "models/layers/sequence/attention.h"
#include "models/layers/sequence/residual_sum.h"
#include "models/layers/text/text_heads.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

// transformers' default for dropout.
constexpr double kDropout = 0.1;

// Factors on the recipes of weights. With plain weights attention is nearly uniform, and a wrong
// mask, distance or segment would not be seen.
constexpr double kQueryGain = 2;
constexpr double kAttentionOutputGain = 0.5;

struct XlnetOptions {
  int64_t vocab_size;
  int64_t d_model;
  int64_t n_layer;
  int64_t n_head;
  int64_t d_inner;
  double layer_norm_eps;
};

// The inputs of attention beside the tokens.
struct Context {
  at::Tensor distances;  // (N, 2 S, features): of S, S - 1, ... 1 - S
  at::Tensor segments;   // (N, S, S, 2): (1, 0) where two tokens are of one segment, else (0, 1)
  at::Tensor mask;       // (N, 1, S, S), added to the scores
};

// Sines, then cosines, of each distance between tokens at features / 2 wavelengths, in float64.
at::Tensor WavesOfDistances(int64_t tokens, int64_t features, const at::TensorOptions& options) {
  const at::Tensor distances = at::arange(tokens, -tokens, -1, options.dtype(at::kDouble));
  const at::Tensor exponents = at::arange(0, features, 2, options.dtype(at::kDouble)) / features;
  const at::Tensor angles = distances.unsqueeze(1) / at::pow(10000, exponents);
  return at::cat({angles.sin(), angles.cos()}, 1);
}

// Scores (N, heads, S, 2 S) of each token with each distance -> (N, heads, S, S) with each token: at
// (s, t) stands that of s - t, which is number S - s + t of row s. A view.
at::Tensor OfPairs(const at::Tensor& scores) {
  const int64_t tokens = scores.size(2);
  return scores.flatten(2)
      .narrow(2, tokens, tokens * (2 * tokens - 1))
      .view({scores.size(0), scores.size(1), tokens, 2 * tokens - 1})
      .narrow(3, 0, tokens);
}

class RelativeAttention final : public Layer {
 public:
  RelativeAttention(Layer& parent, std::string name, const XlnetOptions& options)
      : Layer(parent, std::move(name)),
        heads_(options.n_head),
        norm_(*this, "layer_norm", {.features = options.d_model, .eps = options.layer_norm_eps}) {
    const int64_t width = options.d_model / heads_;
    const std::vector<int64_t> projection = {options.d_model, heads_, width};
    AddParameter("q", projection, WeightInit(options.d_model, kQueryGain), query_);
    AddParameter("k", projection, WeightInit(options.d_model), key_);
    AddParameter("v", projection, WeightInit(options.d_model), value_);
    AddParameter("o", projection, WeightInit(options.d_model, kAttentionOutputGain), output_);
    AddParameter("r", projection, WeightInit(options.d_model, kQueryGain), distance_);
    AddParameter("r_r_bias", {heads_, width}, EmbeddingInit(), distance_bias_);
    AddParameter("r_s_bias", {heads_, width}, EmbeddingInit(), segment_bias_);
    AddParameter("r_w_bias", {heads_, width}, EmbeddingInit(), word_bias_);
    AddParameter("seg_embed", {2, heads_, width}, EmbeddingInit(), segments_);
  }

  // (N, S, features) -> the same.
  at::Tensor Forward(const at::Tensor& x, const Context& context) const {
    const at::Tensor query = Projected(x, query_);
    const at::Tensor scores =
        Products(query, word_bias_, Projected(x, key_)) +
        OfPairs(Products(query, distance_bias_, Projected(context.distances, distance_))) +
        OfSegments(query, context.segments);
    const double scale = 1 / std::sqrt(static_cast<double>(query.size(-1)));
    const at::Tensor attended = AttendByScores(scores * scale + context.mask, Projected(x, value_),
                                               attention_dropout_.active_probability());
    const at::Tensor y = at::matmul(attended.flatten(2), output_.flatten(1).t());
    return norm_.Forward(ResidualSum(dropout_.Forward(y), x));
  }

 private:
  // (N, T, features) -> (N, heads, T, width).
  at::Tensor Projected(const at::Tensor& x, const at::Tensor& weight) const {
    return SplitHeads(at::matmul(x, weight.flatten(1)), heads_);
  }

  static at::Tensor Products(const at::Tensor& query, const at::Tensor& bias,
                             const at::Tensor& key) {
    return at::matmul(query + bias.unsqueeze(1), key.transpose(-1, -2));
  }

  // As transformers does, picks one of two numbers for each pair of tokens by a product.
  at::Tensor OfSegments(const at::Tensor& query, const at::Tensor& pairs) const {
    const at::Tensor both = Products(query, segment_bias_, segments_.transpose(0, 1));
    return at::matmul(pairs, both.permute({0, 2, 3, 1})).permute({0, 3, 1, 2});
  }

  int64_t heads_;
  at::Tensor query_;  // (features, heads, width), as the next four
  at::Tensor key_;
  at::Tensor value_;
  at::Tensor output_;
  at::Tensor distance_;
  at::Tensor distance_bias_;  // (heads, width), as the next two
  at::Tensor segment_bias_;
  at::Tensor word_bias_;
  at::Tensor segments_;  // (2, heads, width)
  LayerNorm norm_;
  Dropout attention_dropout_{*this, kDropout};
  Dropout dropout_{*this, kDropout};
};

class FeedForward final : public Layer {
 public:
  FeedForward(Layer& parent, std::string name, const XlnetOptions& options)
      : Layer(parent, std::move(name)),
        norm_(*this, "layer_norm", {.features = options.d_model, .eps = options.layer_norm_eps}),
        widen_(*this, "layer_1", {.in = options.d_model, .out = options.d_inner}),
        narrow_(*this, "layer_2", {.in = options.d_inner, .out = options.d_model}) {}

  at::Tensor Forward(const at::Tensor& x) const {
    const at::Tensor wide = dropout_.Forward(Activate(Activation::kGelu, widen_.Forward(x)));
    return norm_.Forward(ResidualSum(dropout_.Forward(narrow_.Forward(wide)), x));
  }

 private:
  LayerNorm norm_;
  Linear widen_;
  Linear narrow_;
  Dropout dropout_{*this, kDropout};
};

class Block final : public Layer {
 public:
  Block(Layer& parent, std::string name, const XlnetOptions& options)
      : Layer(parent, std::move(name)),
        attention_(*this, "rel_attn", options),
        feed_forward_(*this, "ff", options) {}

  at::Tensor Forward(const at::Tensor& x, const Context& context) const {
    return feed_forward_.Forward(attention_.Forward(x, context));
  }

 private:
  RelativeAttention attention_;
  FeedForward feed_forward_;
};

// transformers' XLNetModel.
class Trunk final : public Layer {
 public:
  Trunk(Layer& parent, const XlnetOptions& options)
      : Layer(parent, "transformer"),
        words_(*this, "word_embedding", {.rows = options.vocab_size, .features = options.d_model}) {
    AddParameter("mask_emb", {1, 1, options.d_model}, EmbeddingInit(), mask_);
    for (int64_t i = 0; i < options.n_layer; ++i)
      blocks_.push_back(std::make_unique<Block>(*this, absl::StrCat("layer.", i), options));
  }

  // input_ids, attention_mask and token_type_ids, int64 (N, S) -> (N, S, features).
  at::Tensor Forward(at::ArrayRef<at::Tensor> inputs) const {
    at::Tensor x = dropout_.Forward(words_.Forward(inputs[0]));
    const Context context = ContextOf(x, inputs[1], inputs[2]);
    for (const std::unique_ptr<Block>& block : blocks_) x = block->Forward(x, context);
    return dropout_.Forward(x);
  }

  const at::Tensor& words() const { return words_.weight(); }

 private:
  Context ContextOf(const at::Tensor& x, const at::Tensor& attention_mask,
                    const at::Tensor& token_type_ids) const {
    const int64_t rows = x.size(0), tokens = x.size(1), features = x.size(2);
    const at::Tensor waves = WavesOfDistances(tokens, features, x.options()).to(x.scalar_type());
    const at::Tensor differ = token_type_ids.unsqueeze(2).ne(token_type_ids.unsqueeze(1));
    const at::Tensor itself = at::eye(tokens, attention_mask.options().dtype(at::kBool));
    const at::Tensor hidden =
        attention_mask.eq(0).unsqueeze(1).logical_and(itself.logical_not()).unsqueeze(1);
    return {
        .distances = dropout_.Forward(waves.expand({rows, 2 * tokens, features})),
        .segments = at::stack({differ.logical_not(), differ}, -1).to(x.scalar_type()),
        .mask = at::zeros(hidden.sizes(), x.options())
                    .masked_fill_(hidden, -std::numeric_limits<double>::infinity()),
    };
  }

  Embedding words_;
  at::Tensor mask_;
  Dropout dropout_{*this, kDropout};
  std::vector<std::unique_ptr<Block>> blocks_;
};

class XlnetLm final : public LayeredModel, public Trainable {
 public:
  explicit XlnetLm(const XlnetOptions& options)
      : trunk_(*this, options),
        scores_(
            *this, "lm_loss",
            {.in = options.d_model, .out = options.vocab_size, .tied_weight = &trunk_.words()}) {}

  // The trunk's inputs -> logits (N, S, vocabulary).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    return {scores_.Forward(trunk_.Forward(inputs))};
  }

  // The mean over all tokens, as transformers has it: a token's label stands at its own place. int64
  // (N, S).
  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets) override {
    return WordLoss(outputs[0], targets[0]);
  }

 private:
  Trunk trunk_;
  Linear scores_;
};

ASSAY_MODEL_IMPLEMENTATION(
    "xlnet_lm", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const absl::Status status = CheckMultiple("xlnet_lm", parameters, "d_model", "n_head");
      if (!status.ok()) return status;
      const int64_t features = parameters.Integer("d_model");
      if (features % 2 != 0) {
        return absl::InvalidArgumentError(absl::StrCat(
            "xlnet_lm: d_model ", features, " is odd; each distance has as many sines as cosines"));
      }
      return std::make_unique<XlnetLm>(
          XlnetOptions{.vocab_size = parameters.Integer("vocab_size"),
                       .d_model = features,
                       .n_layer = parameters.Integer("n_layer"),
                       .n_head = parameters.Integer("n_head"),
                       .d_inner = parameters.Integer("d_inner"),
                       .layer_norm_eps = parameters.Real("layer_norm_eps")});
    });

}  // namespace
}  // namespace assay::models
