// T5 and mT5 as Hugging Face transformers build them (T5ForConditionalGeneration and
// MT5ForConditionalGeneration, "sdpa" attention): an encoder of one sequence, a decoder of another
// that attends to it, and a score for each next word, all at once or one after another with a
// cache. Tensor names, order and shapes are their state_dict's, so their checkpoints fit.
//
// Positions are known from a number alone that is added to the scores: one for each head and each
// bucket of distances, in the first block, for all blocks of its side. Scores are not scaled.
//
// One difference: transformers looks whether any token is padding and drops the mask if none is;
// here it is always applied (models/bert/bert.cc says why). The results are the same.

#include <ATen/core/Tensor.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/isinf.h>
#include <ATen/ops/where.h>

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
#include "models/generator.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/embedding.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/recipes.h"
#include "models/layers/sequence/attention.h"
#include "models/layers/sequence/decoder_memory.h"
#include "models/layers/sequence/key_value_cache.h"
#include "models/layers/sequence/residual_sum.h"
#include "models/layers/sequence/rms_norm.h"
#include "models/layers/text/text_heads.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

// transformers' default for dropout_rate.
constexpr double kDropout = 0.1;

// Standard deviation of the scores that queries and keys give. With a smaller one attention is
// nearly uniform, and a wrong mask, position or key would hardly be seen.
constexpr double kScoreGain = 2;

struct T5Options {
  int64_t vocab_size;
  int64_t d_model;
  int64_t d_kv;
  int64_t d_ff;
  int64_t num_layers;
  int64_t num_heads;
  int64_t buckets;
  int64_t max_distance;
  double eps;
  bool gated;   // the feed-forward layer: GELU times a linear layer in place of ReLU
  bool scaled;  // whether what goes into the scores is divided by sqrt(d_model)
  bool tied;    // whether the scores' weight is the embedding's
};

RmsNormOptions NormOf(const T5Options& options) {
  return {.features = options.d_model, .eps = options.eps};
}

// In float16 infinity becomes a large number, as in the original.
at::Tensor WithoutInfinity(const at::Tensor& x) {
  if (x.scalar_type() != at::kHalf) return x;
  constexpr double kLargest = 65504;
  const at::Tensor limit = at::where(at::isinf(x).any(), kLargest - 1000, kLargest);
  return at::clamp(x, limit.neg(), limit);
}

// The bucket of each difference, key's position less query's, int64. Half of the buckets of a
// direction are for one distance each, the other half for logarithmically growing ranges up to
// max_distance. Without both directions all keys behind the query share bucket 0.
at::Tensor Buckets(const at::Tensor& differences, bool both_directions, const T5Options& options) {
  const int64_t buckets = both_directions ? options.buckets / 2 : options.buckets;
  const int64_t exact = buckets / 2;
  const at::Tensor distances =
      both_directions ? differences.abs() : differences.neg().clamp_min_(0);
  // In float32 in every dtype, as in the original: where a range ends may depend on rounding.
  const double ratio = static_cast<double>(options.max_distance) / static_cast<double>(exact);
  const at::Tensor ranges = distances.clamp_min(1)
                                .to(at::kFloat)
                                .div_(exact)
                                .log_()
                                .div_(std::log(ratio))
                                .mul_(buckets - exact)
                                .to(at::kLong)
                                .add_(exact)
                                .clamp_max_(buckets - 1);
  at::Tensor found = at::where(distances.lt(exact), distances, ranges);
  if (both_directions) found.add_(differences.gt(0).to(at::kLong), buckets);
  return found;
}

class Attention final : public Layer {
 public:
  Attention(Layer& parent, std::string name, const T5Options& options)
      : Layer(parent, std::move(name)),
        heads_(options.num_heads),
        query_(*this, "q",
               Projection(options.d_model, Inner(options),
                          kScoreGain / std::sqrt(static_cast<double>(options.d_kv)))),
        key_(*this, "k", Projection(options.d_model, Inner(options), 1)),
        value_(*this, "v", Projection(options.d_model, Inner(options), 1)),
        out_(*this, "o", Projection(Inner(options), options.d_model, 1)) {}

  static int64_t Inner(const T5Options& options) { return options.num_heads * options.d_kv; }

  KeyValue KeysAndValues(const at::Tensor& x) const { return {key_.Forward(x), value_.Forward(x)}; }

  at::Tensor Forward(const at::Tensor& x, const KeyValue& seen, const at::Tensor& mask) const {
    return out_.Forward(Attend(
        query_.Forward(x), seen.key, seen.value,
        {.heads = heads_, .mask = mask, .dropout = dropout_.active_probability(), .scale = 1.0}));
  }

 private:
  static LinearOptions Projection(int64_t in, int64_t out, double gain) {
    return {.in = in, .out = out, .bias = false, .gain = gain};
  }

  int64_t heads_;
  Linear query_;
  Linear key_;
  Linear value_;
  Linear out_;
  Dropout dropout_{*this, kDropout};  // of attention's weights
};

class FeedForward final : public Layer {
 public:
  FeedForward(Layer& parent, std::string name, const T5Options& options)
      : Layer(parent, std::move(name)), in_(*this, options.gated ? "wi_0" : "wi", In(options)) {
    if (options.gated) factor_ = std::make_unique<Linear>(*this, "wi_1", In(options));
    out_ = std::make_unique<Linear>(
        *this, "wo", LinearOptions{.in = options.d_ff, .out = options.d_model, .bias = false});
  }

  at::Tensor Forward(const at::Tensor& x) const {
    at::Tensor hidden =
        Activate(factor_ ? Activation::kGeluTanh : Activation::kRelu, in_.Forward(x));
    if (factor_) hidden = hidden.mul(factor_->Forward(x));
    return out_->Forward(dropout_.Forward(hidden));
  }

 private:
  static LinearOptions In(const T5Options& options) {
    return {.in = options.d_model, .out = options.d_ff, .bias = false};
  }

  Linear in_;
  std::unique_ptr<Linear> factor_;  // null: not gated
  std::unique_ptr<Linear> out_;
  Dropout dropout_{*this, kDropout};
};

class Block final : public Layer {
 public:
  // `first`: whether it holds the numbers for distances. `decoder`: whether it also attends to the
  // encoder's output.
  Block(Layer& parent, std::string name, const T5Options& options, bool first, bool decoder)
      : Layer(parent, std::move(name)), self_(*this, "layer.0.SelfAttention", options) {
    if (first) {
      distances_ = std::make_unique<Embedding>(
          *this, "layer.0.SelfAttention.relative_attention_bias",
          EmbeddingOptions{.rows = options.buckets, .features = options.num_heads});
    }
    self_norm_ = std::make_unique<RmsNorm>(*this, "layer.0.layer_norm", NormOf(options));
    if (decoder) {
      cross_ = std::make_unique<Attention>(*this, "layer.1.EncDecAttention", options);
      cross_norm_ = std::make_unique<RmsNorm>(*this, "layer.1.layer_norm", NormOf(options));
    }
    const std::string last = decoder ? "layer.2." : "layer.1.";
    feed_forward_ = std::make_unique<FeedForward>(*this, last + "DenseReluDense", options);
    feed_forward_norm_ = std::make_unique<RmsNorm>(*this, last + "layer_norm", NormOf(options));
  }

  // x (N, n, d_model); `memory` of a decoder's block, else null.
  at::Tensor Forward(const at::Tensor& x, const at::Tensor& mask,
                     const DecoderMemory* memory) const {
    const at::Tensor normed = self_norm_->Forward(x);
    KeyValue seen = self_.KeysAndValues(normed);
    if (memory != nullptr && memory->cache)
      seen = memory->cache->Add(seen.key, seen.value, memory->place);
    at::Tensor y = Sum(self_.Forward(normed, seen, mask), x);
    if (memory != nullptr) {
      y = Sum(cross_->Forward(cross_norm_->Forward(y), memory->encoded, memory->encoded_mask), y);
    }
    return Sum(feed_forward_->Forward(feed_forward_norm_->Forward(y)), y);
  }

  KeyValue OfEncoded(const at::Tensor& encoded) const { return cross_->KeysAndValues(encoded); }

  const Embedding& distances() const { return *distances_; }

 private:
  at::Tensor Sum(const at::Tensor& branch, const at::Tensor& x) const {
    return WithoutInfinity(ResidualSum(dropout_.Forward(branch), x));
  }

  Attention self_;
  std::unique_ptr<Embedding> distances_;  // (buckets, heads)
  std::unique_ptr<RmsNorm> self_norm_;
  std::unique_ptr<Attention> cross_;
  std::unique_ptr<RmsNorm> cross_norm_;
  std::unique_ptr<FeedForward> feed_forward_;
  std::unique_ptr<RmsNorm> feed_forward_norm_;
  Dropout dropout_{*this, kDropout};
};

// The encoder, or the decoder: blocks behind an embedding, which is that of `words`.
class Stack final : public Layer {
 public:
  Stack(Layer& parent, std::string name, const T5Options& options, bool decoder,
        const at::Tensor& words)
      : Layer(parent, std::move(name)),
        options_(options),
        decoder_(decoder),
        words_(*this, "embed_tokens",
               {.rows = options.vocab_size, .features = options.d_model, .tied_weight = &words}) {
    for (int64_t i = 0; i < options.num_layers; ++i) {
      blocks_.push_back(
          std::make_unique<Block>(*this, absl::StrCat("block.", i), options, i == 0, decoder));
    }
    norm_ = std::make_unique<RmsNorm>(*this, "final_layer_norm", NormOf(options));
  }

  // Tokens (N, n) at `place`; `mask` is added to the scores, broadcastable to
  // (N, heads, n, place.position + n); a memory for each block of a decoder. Returns (N, n, d_model).
  at::Tensor Forward(const at::Tensor& tokens, const CachePlace& place, const at::Tensor& mask,
                     const std::vector<DecoderMemory>& memories) const {
    at::Tensor x = dropout_.Forward(words_.Forward(tokens));
    at::Tensor added = OfDistances(place, tokens.size(1));
    if (mask.defined()) added = added.add(mask);
    if (place.rows.defined()) {
      added.masked_fill_(memories.front().seen.logical_not(),
                         -std::numeric_limits<double>::infinity());
    }
    added = added.contiguous();
    for (size_t i = 0; i < blocks_.size(); ++i)
      x = blocks_[i]->Forward(x, added, decoder_ ? &memories[i] : nullptr);
    return dropout_.Forward(norm_->Forward(x));
  }

  const std::vector<std::unique_ptr<Block>>& blocks() const { return blocks_; }

 private:
  // The bias that is added to the scores of `count` queries at `place` for all keys up to the last of
  // them, (1, heads, count, place.position + count), or (N, ...) where rows differ.
  at::Tensor OfDistances(const CachePlace& place, int64_t count) const {
    const Embedding& table = blocks_.front()->distances();
    const at::TensorOptions integers = table.weight().options().dtype(at::kLong);
    const int64_t first = place.position, keys = first + count;
    const at::Tensor queries = place.rows.defined()
                                   ? place.rows.view({-1, 1, 1})
                                   : at::arange(first, keys, integers).view({1, -1, 1});
    return table.Forward(Buckets(at::arange(keys, integers).sub(queries), !decoder_, options_))
        .permute({0, 3, 1, 2});
  }

  T5Options options_;
  bool decoder_;
  Embedding words_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::unique_ptr<RmsNorm> norm_;
  Dropout dropout_{*this, kDropout};
};

class T5 final : public LayeredModel, public Trainable, public Generator {
 public:
  explicit T5(const T5Options& options)
      : options_(options),
        words_(*this, "shared", {.rows = options.vocab_size, .features = options.d_model}),
        encoder_(*this, "encoder", options, false, words_.weight()),
        decoder_(*this, "decoder", options, true, words_.weight()),
        scores_(*this, "lm_head",
                {.in = options.d_model,
                 .out = options.vocab_size,
                 .bias = false,
                 .tied_weight = options.tied ? &words_.weight() : nullptr}) {}

  // The encoder's tokens and their mask, int64 (N, S), and the decoder's tokens, int64 (N, T) ->
  // logits (N, T, vocabulary).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    const at::Tensor mask = OfTokens(inputs[1]);
    return {Scores(Decoded(inputs[2], Memories(Encoded(inputs[0], mask), mask)))};
  }

  // The mean over all tokens; labels int64 (N, T), each that of the token behind.
  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets) override {
    return WordLoss(outputs[0], targets[0]);
  }

  std::vector<at::Tensor> NewCache(at::ArrayRef<at::Tensor> inputs, int64_t capacity) override {
    return NewDecoderCache({.blocks = options_.num_layers,
                            .features = Attention::Inner(options_),
                            .rows = inputs[0].size(0),
                            .capacity = capacity,
                            .encoded = inputs[0].size(1)},
                           words_.weight().options());
  }

  at::Tensor Prefill(at::ArrayRef<at::Tensor> inputs, at::ArrayRef<at::Tensor> cache) override {
    const at::Tensor mask = OfTokens(inputs[1]);
    KeepEncoded(Encoded(inputs[0], mask), mask, cache);
    return Extend(inputs[2], 0, cache);
  }

  at::Tensor Extend(const at::Tensor& tokens, const CachePlace& place,
                    at::ArrayRef<at::Tensor> cache) override {
    const auto memories = CachedMemories(options_.num_layers, cache, place);
    return Scores(Decoded(tokens, memories).select(1, -1));
  }

 private:
  // (N, S), nonzero = token -> what is added to the scores of each, (N, 1, 1, S).
  at::Tensor OfTokens(const at::Tensor& tokens) const {
    return PaddingMask(tokens, words_.weight().scalar_type()).narrow(2, 0, 1);
  }

  // Each of the decoder's blocks' keys and values of the encoder's output.
  std::vector<KeyValue> Encoded(const at::Tensor& tokens, const at::Tensor& mask) const {
    const at::Tensor encoded = encoder_.Forward(tokens, 0, mask, {});
    std::vector<KeyValue> of_blocks;
    for (const std::unique_ptr<Block>& block : decoder_.blocks())
      of_blocks.push_back(block->OfEncoded(encoded));
    return of_blocks;
  }

  at::Tensor Decoded(const at::Tensor& tokens, const std::vector<DecoderMemory>& memories) const {
    const int64_t count = tokens.size(1);
    const CachePlace& place = memories.front().place;
    at::Tensor mask;  // none for a single token, which sees all before it
    if (count > 1) mask = CausalMask(count, place.position + count, words_.weight().options());
    return decoder_.Forward(tokens, place, mask, memories);
  }

  at::Tensor Scores(const at::Tensor& x) const {
    if (!options_.scaled) return scores_.Forward(x);
    return scores_.Forward(x.mul(1 / std::sqrt(static_cast<double>(options_.d_model))));
  }

  T5Options options_;
  Embedding words_;
  Stack encoder_;
  Stack decoder_;
  Linear scores_;
};

absl::Status CheckBuckets(const T5Options& options) {
  if (options.buckets % 4 == 0 && options.max_distance > options.buckets / 2)
    return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("t5: relative_attention_num_buckets ", options.buckets,
                   " must be a multiple of 4, and less than twice relative_attention_max_distance ",
                   options.max_distance));
}

ASSAY_MODEL_IMPLEMENTATION(
    "t5", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const T5Options options = {
          .vocab_size = parameters.Integer("vocab_size"),
          .d_model = parameters.Integer("d_model"),
          .d_kv = parameters.Integer("d_kv"),
          .d_ff = parameters.Integer("d_ff"),
          .num_layers = parameters.Integer("num_layers"),
          .num_heads = parameters.Integer("num_heads"),
          .buckets = parameters.Integer("relative_attention_num_buckets"),
          .max_distance = parameters.Integer("relative_attention_max_distance"),
          .eps = parameters.Real("layer_norm_epsilon"),
          .gated = parameters.Text("feed_forward_proj") == "gated-gelu",
          .scaled = parameters.Flag("scale_decoder_outputs"),
          .tied = parameters.Flag("tie_word_embeddings")};
      const absl::Status status = CheckBuckets(options);
      if (!status.ok()) return status;
      return std::make_unique<T5>(options);
    });

}  // namespace
}  // namespace assay::models
