// BART and its kin as Hugging Face transformers builds them ("sdpa" attention): BART, mBART, PLBART,
// Pegasus, BlenderbotSmall, Blenderbot and M2M100, and TrOCR's decoder (attention in steps). An encoder of one sequence, a decoder of another
// that attends to it and a score for each next word (...ForConditionalGeneration), or the decoder
// alone (...ForCausalLM), all at once or one token after another with a cache. Tensor names, order
// and shapes are their state_dict's, so their checkpoints fit. A decoder alone has the tensors of
// the attention to an encoder too, and reads none of them.
//
// Two differences: transformers looks whether any token is padding and drops the mask if none is;
// here it is always applied (models/bert/bert.cc says why). And in float16 BART, PLBART and
// BlenderbotSmall limit an encoder layer's output if it holds an infinity; here all limit it always,
// as the others do, which differs between 64504 and the largest number, 65504.

#include <ATen/core/Tensor.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/embedding.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/generator.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/embedding.h"
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/core/recipes.h"
#include "models/layers/sequence/attention.h"
#include "models/layers/sequence/decoder_memory.h"
#include "models/layers/sequence/key_value_cache.h"
#include "models/layers/sequence/sinusoids.h"
#include "models/layers/text/fairseq_block.h"
#include "models/layers/text/text_heads.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

// transformers' default for dropout.
constexpr double kDropout = 0.1;

enum class Positions {
  kLearned,
  kGiven,      // sinusoids that files hold and nobody trains
  kSinusoids,  // computed; padding has none, and does not count
};

struct Architecture {
  std::string_view name;
  bool norm_first;      // norms before the sub-layers, and one behind all of them
  bool norm_embedding;  // a norm behind the sum of words and positions
  bool words_normed;    // in the decoder that norm comes before the positions
  Positions positions;
  int64_t offset;   // rows of the table before the first position
  int64_t padding;  // the token
  double attention_dropout;
  Activation activation;
  bool scores_bias;
  bool
      trocr;  // attention in steps; the embedding's norm before the blocks; other name of the scores
};

constexpr Architecture kArchitectures[] = {
    {"bart", false, true, false, Positions::kLearned, 2, 1, 0.0, Activation::kGelu, true, false},
    {"mbart", true, true, false, Positions::kLearned, 2, 1, 0.0, Activation::kGelu, true, false},
    {"plbart", false, true, false, Positions::kLearned, 2, 1, 0.1, Activation::kGelu, true, false},
    {"pegasus", true, false, false, Positions::kGiven, 0, 0, 0.0, Activation::kGelu, true, false},
    {"blenderbot_small", false, true, true, Positions::kLearned, 0, 0, 0.0, Activation::kGelu, true,
     false},
    {"blenderbot", true, false, false, Positions::kLearned, 0, 0, 0.0, Activation::kGelu, true,
     false},
    {"m2m100", true, false, false, Positions::kSinusoids, 2, 1, 0.1, Activation::kRelu, false,
     false},
    {"trocr", false, true, false, Positions::kLearned, 2, 1, 0.0, Activation::kGelu, false, true},
};

struct BartOptions {
  Architecture architecture;
  int64_t vocab_size;
  int64_t d_model;
  int64_t encoder_layers;
  int64_t decoder_layers;
  int64_t attention_heads;
  int64_t ffn_dim;
  int64_t max_position_embeddings;
  bool scale_embedding;
};

FairseqBlockOptions BlockOf(const BartOptions& options, bool decoder) {
  return {.features = options.d_model,
          .heads = options.attention_heads,
          .hidden = options.ffn_dim,
          .norm_first = options.architecture.norm_first,
          .activation = options.architecture.activation,
          .dropout = kDropout,
          .attention_dropout = options.architecture.attention_dropout,
          .causal = decoder,
          .attends_encoder = decoder,
          .in_steps = options.architecture.trocr};
}

class PositionTable final : public Layer {
 public:
  PositionTable(Layer& parent, std::string name, const BartOptions& options)
      : Layer(parent, std::move(name)), architecture_(options.architecture) {
    const int64_t rows = options.max_position_embeddings + architecture_.offset;
    if (architecture_.positions == Positions::kLearned) {
      AddLookedUpParameter("weight", {rows, options.d_model}, EmbeddingInit(), table_);
    } else if (architecture_.positions == Positions::kGiven) {
      AddBuffer("weight", {rows, options.d_model}, EmbeddingInit(), table_);
    } else {
      at::Tensor sinusoids = Sinusoids(rows, options.d_model);
      sinusoids.select(0, architecture_.padding).zero_();
      AddConstant(std::move(sinusoids), table_);
    }
  }

  // tokens (N, n) -> embeddings (n, d_model), or (N, n, d_model).
  at::Tensor Forward(const at::Tensor& tokens, const CachePlace& place) const {
    if (architecture_.positions != Positions::kSinusoids)
      return PositionRows(table_, place, tokens.size(1), architecture_.offset);
    const at::Tensor counts = tokens.ne(architecture_.padding).to(at::kLong);
    at::Tensor rows = at::cumsum(counts, 1);
    if (place.rows.defined()) {
      rows.add_(place.rows.unsqueeze(1));
    } else {
      rows.add_(place.position);
    }
    return at::embedding(table_, rows.mul_(counts).add_(architecture_.padding));
  }

 private:
  Architecture architecture_;
  at::Tensor table_;
};

double EmbeddingScale(const BartOptions& options) {
  return options.scale_embedding ? std::sqrt(static_cast<double>(options.d_model)) : 1;
}

EmbeddingOptions Words(const BartOptions& options, const at::Tensor* tied) {
  Init init = EmbeddingInit();
  init.multiplier /= EmbeddingScale(options);
  return {.rows = options.vocab_size,
          .features = options.d_model,
          .init = init,
          .padding_idx = options.architecture.padding,
          .tied_weight = tied};
}

// The encoder, or the decoder: blocks behind an embedding, which is that of `words` unless null.
class Stack final : public Layer {
 public:
  Stack(Layer& parent, std::string name, const BartOptions& options, bool decoder,
        const at::Tensor* words)
      : Layer(parent, std::move(name)),
        decoder_(decoder),
        trocr_(options.architecture.trocr),
        scale_(EmbeddingScale(options)),
        words_normed_(decoder && options.architecture.words_normed),
        words_(*this, "embed_tokens", Words(options, words)),
        positions_(*this, "embed_positions", options) {
    const LayerNormOptions norm = {.features = options.d_model};
    const auto add_embedding_norm = [&] {
      embedding_norm_ = std::make_unique<LayerNorm>(*this, "layernorm_embedding", norm);
    };
    if (trocr_) add_embedding_norm();
    const int64_t count = decoder ? options.decoder_layers : options.encoder_layers;
    for (int64_t i = 0; i < count; ++i) {
      blocks_.push_back(std::make_unique<FairseqBlock>(*this, absl::StrCat("layers.", i),
                                                       BlockOf(options, decoder)));
    }
    if (options.architecture.norm_embedding && !trocr_) add_embedding_norm();
    if (options.architecture.norm_first)
      norm_ = std::make_unique<LayerNorm>(*this, "layer_norm", norm);
  }

  // Tokens (N, n) -> (N, n, d_model). An encoder reads `mask`, a decoder a memory for each block.
  at::Tensor Forward(const at::Tensor& tokens, const at::Tensor& mask,
                     const std::vector<DecoderMemory>& memories) const {
    const CachePlace place = memories.empty() ? 0 : memories.front().place;
    const int64_t count = tokens.size(1);
    at::Tensor x = Embedded(tokens, place);
    at::Tensor added = mask;
    if (trocr_ && count > 1) added = CausalMask(count, place.position + count, x.options());
    for (size_t i = 0; i < blocks_.size(); ++i) {
      x = blocks_[i]->Forward(x, added, memories.empty() ? nullptr : &memories[i]);
      if (!decoder_ && x.scalar_type() == at::kHalf) x.clamp_(-kLargest, kLargest);
    }
    return norm_ ? norm_->Forward(x) : x;
  }

  // Each block's keys and values of the encoder's output.
  std::vector<KeyValue> OfEncoded(const at::Tensor& encoded) const {
    std::vector<KeyValue> of_blocks;
    for (const std::unique_ptr<FairseqBlock>& block : blocks_)
      of_blocks.push_back(block->OfEncoded(encoded));
    return of_blocks;
  }

  // A cache for these rows and tokens; `encoded` is 0 without an encoder.
  std::vector<at::Tensor> NewCache(int64_t rows, int64_t capacity, int64_t encoded) const {
    return NewDecoderCache({.blocks = blocks(),
                            .features = words().size(1),
                            .rows = rows,
                            .capacity = capacity,
                            .encoded = encoded},
                           words().options());
  }

  int64_t blocks() const { return static_cast<int64_t>(blocks_.size()); }
  const at::Tensor& words() const { return words_.weight(); }

 private:
  at::Tensor Embedded(const at::Tensor& tokens, const CachePlace& place) const {
    at::Tensor x = words_.Forward(tokens);
    if (scale_ != 1) x.mul_(scale_);
    if (words_normed_) x = embedding_norm_->Forward(x);
    x.add_(positions_.Forward(tokens, place));
    if (embedding_norm_ && !words_normed_) x = embedding_norm_->Forward(x);
    return dropout_.Forward(x);
  }

  // An encoder's layer clamps to this in float16.
  static constexpr double kLargest = 65504 - 1000;

  bool decoder_;
  bool trocr_;
  double scale_;
  bool words_normed_;
  Embedding words_;
  PositionTable positions_;
  std::vector<std::unique_ptr<FairseqBlock>> blocks_;
  std::unique_ptr<LayerNorm> embedding_norm_;
  std::unique_ptr<LayerNorm> norm_;
  Dropout dropout_{*this, kDropout};
};

LinearOptions Scores(const BartOptions& options, const at::Tensor& words) {
  return {.in = options.d_model, .out = options.vocab_size, .bias = false, .tied_weight = &words};
}

class Bart final : public LayeredModel, public Trainable, public Generator {
 public:
  explicit Bart(const BartOptions& options)
      : words_(*this, "model.shared", Words(options, nullptr)),
        encoder_(*this, "model.encoder", options, false, &words_.weight()),
        decoder_(*this, "model.decoder", options, true, &words_.weight()),
        scores_(*this, "lm_head", Scores(options, words_.weight())) {
    if (options.architecture.scores_bias)
      AddBuffer("final_logits_bias", {1, options.vocab_size}, BiasInit(), bias_);
  }

  // The encoder's tokens and their mask, int64 (N, S), and the decoder's tokens, int64 (N, T) ->
  // logits (N, T, vocabulary).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    const at::Tensor mask = Mask(inputs[1]);
    return {Scored(decoder_.Forward(inputs[2], {}, Memories(Encoded(inputs[0], mask), mask)))};
  }

  // The mean over all tokens; labels int64 (N, T), each that of the token behind.
  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets) override {
    return WordLoss(outputs[0], targets[0]);
  }

  std::vector<at::Tensor> NewCache(at::ArrayRef<at::Tensor> inputs, int64_t capacity) override {
    return decoder_.NewCache(inputs[0].size(0), capacity, inputs[0].size(1));
  }

  at::Tensor Prefill(at::ArrayRef<at::Tensor> inputs, at::ArrayRef<at::Tensor> cache) override {
    const at::Tensor mask = Mask(inputs[1]);
    KeepEncoded(Encoded(inputs[0], mask), mask, cache);
    return Extend(inputs[2], 0, cache);
  }

  at::Tensor Extend(const at::Tensor& tokens, const CachePlace& place,
                    at::ArrayRef<at::Tensor> cache) override {
    const auto memories = CachedMemories(decoder_.blocks(), cache, place);
    return Scored(decoder_.Forward(tokens, {}, memories).select(1, -1));
  }

 private:
  // (N, S), nonzero = token -> what is added to the scores of each, (N, 1, 1, S).
  at::Tensor Mask(const at::Tensor& tokens) const {
    return PaddingMask(tokens, words_.weight().scalar_type()).narrow(2, 0, 1);
  }

  std::vector<KeyValue> Encoded(const at::Tensor& tokens, const at::Tensor& mask) const {
    return decoder_.OfEncoded(encoder_.Forward(tokens, mask, {}));
  }

  at::Tensor Scored(const at::Tensor& x) const {
    const at::Tensor scores = scores_.Forward(x);
    return bias_.defined() ? scores.add(bias_) : scores;
  }

  at::Tensor bias_;  // (1, vocabulary)
  Embedding words_;
  Stack encoder_;
  Stack decoder_;
  Linear scores_;
};

class BartCausalLm final : public LayeredModel, public Generator {
 public:
  explicit BartCausalLm(const BartOptions& options)
      : decoder_(*this, "model.decoder", options, true, nullptr),
        scores_(*this, options.architecture.trocr ? "output_projection" : "lm_head",
                Scores(options, decoder_.words())) {}

  // Tokens, int64 (N, S) -> logits (N, S, vocabulary).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    const std::vector<DecoderMemory> none(decoder_.blocks());
    return {scores_.Forward(decoder_.Forward(inputs[0], {}, none))};
  }

  std::vector<at::Tensor> NewCache(at::ArrayRef<at::Tensor> inputs, int64_t capacity) override {
    return decoder_.NewCache(inputs[0].size(0), capacity, 0);
  }

  at::Tensor Extend(const at::Tensor& tokens, const CachePlace& place,
                    at::ArrayRef<at::Tensor> cache) override {
    const auto memories = CachedMemories(decoder_.blocks(), cache, place);
    return scores_.Forward(decoder_.Forward(tokens, {}, memories).select(1, -1));
  }

 private:
  Stack decoder_;
  Linear scores_;
};

Architecture Named(std::string_view name) {
  for (const Architecture& architecture : kArchitectures)
    if (architecture.name == name) return architecture;
  return kArchitectures[0];  // variants.bzl allows no other name
}

template <typename Built>
absl::StatusOr<std::unique_ptr<Model>> Build(std::string_view implementation,
                                             const Parameters& parameters) {
  const absl::Status status =
      CheckMultiple(implementation, parameters, "d_model", "attention_heads");
  if (!status.ok()) return status;
  const Architecture architecture = Named(parameters.Text("architecture"));
  const int64_t d_model = parameters.Integer("d_model");
  if (architecture.positions == Positions::kSinusoids && (d_model < 4 || d_model % 2 != 0)) {
    return absl::InvalidArgumentError(absl::StrCat(implementation, ": d_model ", d_model,
                                                   " must be even, and 4 or more, for sinusoids"));
  }
  return std::make_unique<Built>(
      BartOptions{.architecture = architecture,
                  .vocab_size = parameters.Integer("vocab_size"),
                  .d_model = d_model,
                  .encoder_layers = parameters.Integer("encoder_layers"),
                  .decoder_layers = parameters.Integer("decoder_layers"),
                  .attention_heads = parameters.Integer("attention_heads"),
                  .ffn_dim = parameters.Integer("ffn_dim"),
                  .max_position_embeddings = parameters.Integer("max_position_embeddings"),
                  .scale_embedding = parameters.Flag("scale_embedding")});
}

ASSAY_MODEL_IMPLEMENTATION("bart", [](const Parameters& parameters) {
  return Build<Bart>("bart", parameters);
});

ASSAY_MODEL_IMPLEMENTATION("m2m100", [](const Parameters& parameters) {
  return Build<Bart>("m2m100", parameters);
});

ASSAY_MODEL_IMPLEMENTATION("bart_causal_lm", [](const Parameters& parameters) {
  return Build<BartCausalLm>("bart_causal_lm", parameters);
});

}  // namespace
}  // namespace assay::models
