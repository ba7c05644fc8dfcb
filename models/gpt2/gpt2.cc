// GPT-2 as Hugging Face transformers builds it (GPT2LMHeadModel, "sdpa" attention): tokens in, a
// score for each next word out, all at once or one after another with a cache; and
// GPT2ForSequenceClassification, a score for each class of a row. Tensor names, order
// and shapes are its state_dict's, so its checkpoints fit; weights of projections are (in, out), as
// its Conv1D stores them, and that of the scores is the embedding's.

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/gelu.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/generator.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/embedding.h"
#include "models/layers/core/gradient.h"
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/sequence/attention.h"
#include "models/layers/sequence/key_value_cache.h"
#include "models/layers/sequence/residual_sum.h"
#include "models/layers/text/text_heads.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

// transformers' default for embd_pdrop, attn_pdrop and resid_pdrop.
constexpr double kDropout = 0.1;

// Factor on the recipe of query, key and value. With plain weights attention is nearly uniform, and
// a wrong position or a missing key would hardly be seen.
constexpr double kAttentionGain = 2;

struct Gpt2Options {
  int64_t vocab_size;
  int64_t n_positions;
  int64_t n_embd;
  int64_t n_layer;
  int64_t n_head;
  double layer_norm_epsilon;
};

LinearOptions Projection(int64_t in, int64_t out, double gain = 1) {
  return {.in = in, .out = out, .gain = gain, .in_first = true};
}

class Block final : public Layer {
 public:
  Block(Layer& parent, std::string name, const Gpt2Options& options)
      : Layer(parent, std::move(name)),
        heads_(options.n_head),
        norm1_(*this, "ln_1", {.features = options.n_embd, .eps = options.layer_norm_epsilon}),
        attention_in_(*this, "attn.c_attn",
                      Projection(options.n_embd, 3 * options.n_embd, kAttentionGain)),
        attention_out_(*this, "attn.c_proj", Projection(options.n_embd, options.n_embd)),
        norm2_(*this, "ln_2", {.features = options.n_embd, .eps = options.layer_norm_epsilon}),
        between_(*this, "mlp.c_fc", Projection(options.n_embd, 4 * options.n_embd)),
        out_(*this, "mlp.c_proj", Projection(4 * options.n_embd, options.n_embd)) {}

  // (N, n, features). With a cache the tokens stand at `place` behind those in it; `seen`, where rows
  // differ: SeenByRows().
  at::Tensor Forward(const at::Tensor& x, const std::optional<KeyValueCache>& cache,
                     const CachePlace& place, const at::Tensor& seen) const {
    const std::vector<at::Tensor> parts = attention_in_.Forward(norm1_.Forward(x)).chunk(3, -1);
    KeyValue all = {parts[1], parts[2]};
    if (cache) all = cache->Add(parts[1], parts[2], place);
    const at::Tensor attended = Attend(parts[0], all.key, all.value,
                                       {.heads = heads_,
                                        .mask = seen,
                                        .dropout = dropout_.active_probability(),
                                        .causal = !seen.defined()});
    const at::Tensor y = ResidualSum(dropout_.Forward(attention_out_.Forward(attended)), x);
    at::Tensor hidden = between_.Forward(norm2_.Forward(y));
    hidden = AutogradRecords(hidden) ? at::gelu(hidden, "tanh") : at::gelu_(hidden, "tanh");
    return ResidualSum(dropout_.Forward(out_.Forward(hidden)), y);
  }

 private:
  int64_t heads_;
  LayerNorm norm1_;
  Linear attention_in_;
  Linear attention_out_;
  LayerNorm norm2_;
  Linear between_;
  Linear out_;
  Dropout dropout_{*this, kDropout};
};

// Embeddings, blocks and last norm.
class Trunk {
 public:
  using Options = Gpt2Options;

  Trunk(Layer& parent, const Gpt2Options& options)
      : words_(parent, "transformer.wte", {.rows = options.vocab_size, .features = options.n_embd}),
        positions_(parent, "transformer.wpe",
                   {.rows = options.n_positions, .features = options.n_embd}),
        dropout_(parent, kDropout) {
    for (int64_t i = 0; i < options.n_layer; ++i)
      blocks_.push_back(
          std::make_unique<Block>(parent, absl::StrCat("transformer.h.", i), options));
    norm_ = std::make_unique<LayerNorm>(
        parent, "transformer.ln_f",
        LayerNormOptions{.features = options.n_embd, .eps = options.layer_norm_epsilon});
  }

  // Tokens, int64 (N, n), that stand at `place` behind those in the cache, which may be empty
  // -> (N, n, features) before the last norm.
  at::Tensor Forward(const at::Tensor& tokens, const CachePlace& place,
                     at::ArrayRef<at::Tensor> cache) const {
    at::Tensor x = words_.Forward(tokens), seen;
    x = dropout_.Forward(x.add_(positions_.Rows(place, tokens.size(1))));
    if (place.rows.defined()) seen = SeenByRows(place);
    for (size_t i = 0; i < blocks_.size(); ++i) {
      std::optional<KeyValueCache> of_block;
      if (!cache.empty()) of_block.emplace(cache[2 * i], cache[2 * i + 1]);
      x = blocks_[i]->Forward(x, of_block, place, seen);
    }
    return x;
  }

  // All inputs of a head without a cache -> (N, S, features) behind the last norm.
  at::Tensor Forward(at::ArrayRef<at::Tensor> inputs) const {
    return norm_->Forward(Forward(inputs[0], 0, {}));
  }

  const at::Tensor& words() const { return words_.weight(); }
  const LayerNorm& norm() const { return *norm_; }
  size_t blocks() const { return blocks_.size(); }

 private:
  Embedding words_;
  Embedding positions_;
  Dropout dropout_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::unique_ptr<LayerNorm> norm_;
};

class Gpt2 final : public LayeredModel, public Trainable, public Generator {
 public:
  explicit Gpt2(const Gpt2Options& options)
      : trunk_(*this, options),
        scores_(*this, "lm_head",
                {.in = options.n_embd,
                 .out = options.vocab_size,
                 .bias = false,
                 .tied_weight = &trunk_.words()}) {}

  // Tokens, int64 (N, S) -> logits (N, S, vocabulary).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    return {Scores(trunk_.Forward(inputs[0], 0, {}))};
  }

  // The mean over all tokens but the first; labels int64 (N, S).
  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets) override {
    return NextWordLoss(outputs[0], targets[0]);
  }

  // For each block its keys, then its values, (rows, capacity, features).
  std::vector<at::Tensor> NewCache(at::ArrayRef<at::Tensor> inputs, int64_t capacity) override {
    const at::Tensor& words = trunk_.words();
    std::vector<at::Tensor> cache;
    for (size_t i = 0; i < 2 * trunk_.blocks(); ++i)
      cache.push_back(at::empty({inputs[0].size(0), capacity, words.size(1)}, words.options()));
    return cache;
  }

  at::Tensor Extend(const at::Tensor& tokens, const CachePlace& place,
                    at::ArrayRef<at::Tensor> cache) override {
    return Scores(trunk_.Forward(tokens, place, cache).select(1, -1));
  }

 private:
  at::Tensor Scores(const at::Tensor& x) const { return scores_.Forward(trunk_.norm().Forward(x)); }

  Trunk trunk_;
  Linear scores_;
};

// `more`: what the model is built of beside the options.
template <typename Built, typename... More>
absl::StatusOr<std::unique_ptr<Model>> Build(const Parameters& parameters, More... more) {
  const absl::Status status = CheckMultiple("gpt2", parameters, "n_embd", "n_head");
  if (!status.ok()) return status;
  return std::make_unique<Built>(
      Gpt2Options{.vocab_size = parameters.Integer("vocab_size"),
                  .n_positions = parameters.Integer("n_positions"),
                  .n_embd = parameters.Integer("n_embd"),
                  .n_layer = parameters.Integer("n_layer"),
                  .n_head = parameters.Integer("n_head"),
                  .layer_norm_epsilon = parameters.Real("layer_norm_epsilon")},
      more...);
}

ASSAY_MODEL_IMPLEMENTATION("gpt2",
                           [](const Parameters& parameters) { return Build<Gpt2>(parameters); });

ASSAY_MODEL_IMPLEMENTATION("gpt2_sequence_classification", [](const Parameters& parameters) {
  return Build<ForSequenceClassification<Trunk>>(parameters, parameters.Integer("n_embd"),
                                                 parameters.Integer("num_labels"),
                                                 parameters.Integer("pad_token_id"));
});

}  // namespace
}  // namespace assay::models
