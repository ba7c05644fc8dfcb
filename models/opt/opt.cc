// OPT and XGLM as Hugging Face transformers builds them (OPTForCausalLM with "sdpa" attention,
// XGLMForCausalLM whose attention is one operator after another): decoders of fairseq's blocks with
// a score for each next word, all at once or one token after another with a cache. Tensor names,
// order and shapes are their state_dict's, so their checkpoints fit. OPT learns its positions, and
// XGLM computes them.

#include <ATen/core/Tensor.h>

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
#include "models/layers/core/activation.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/embedding.h"
#include "models/layers/core/layer.h"
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/core/recipes.h"
#include "models/layers/sequence/attention.h"
#include "models/layers/sequence/decoder_memory.h"
#include "models/layers/sequence/sinusoids.h"
#include "models/layers/text/fairseq_block.h"
#include "models/layers/text/next_words.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

// transformers' default for dropout, and for XGLM's attention_dropout.
constexpr double kDropout = 0.1;

// Rows of the table before the first position, and the token of padding.
constexpr int64_t kOffset = 2;
constexpr int64_t kPadding = 1;

struct OptOptions {
  bool xglm;
  int64_t vocab_size;
  int64_t hidden_size;
  int64_t num_layers;
  int64_t attention_heads;
  int64_t ffn_dim;
  int64_t max_position_embeddings;
};

class Positions final : public Layer {
 public:
  Positions(Layer& parent, std::string name, const OptOptions& options)
      : Layer(parent, std::move(name)) {
    const int64_t rows = options.max_position_embeddings + kOffset;
    if (options.xglm) {
      AddConstant(Sinusoids(rows, options.hidden_size), table_);
    } else {
      AddLookedUpParameter("weight", {rows, options.hidden_size}, EmbeddingInit(), table_);
    }
  }

  at::Tensor Rows(const CachePlace& place, int64_t count) const {
    return PositionRows(table_, place, count, kOffset);
  }

 private:
  at::Tensor table_;
};

// XGLM multiplies words by sqrt(hidden size), so they are drawn that much smaller.
double WordScale(const OptOptions& options) {
  return options.xglm ? std::sqrt(static_cast<double>(options.hidden_size)) : 1;
}

EmbeddingOptions Words(const OptOptions& options) {
  Init init = EmbeddingInit();
  init.multiplier /= WordScale(options);
  return {.rows = options.vocab_size,
          .features = options.hidden_size,
          .init = init,
          .padding_idx = kPadding};
}

class Trunk final : public Layer {
 public:
  using Options = OptOptions;

  Trunk(Layer& parent, const OptOptions& options)
      : Layer(parent, options.xglm ? "model" : "model.decoder"),
        options_(options),
        words_(*this, "embed_tokens", Words(options)),
        positions_(*this, "embed_positions", options) {
    if (!options.xglm) AddNorm("final_layer_norm");
    for (int64_t i = 0; i < options.num_layers; ++i) {
      blocks_.push_back(std::make_unique<FairseqBlock>(
          *this, absl::StrCat("layers.", i),
          FairseqBlockOptions{.features = options.hidden_size,
                              .heads = options.attention_heads,
                              .hidden = options.ffn_dim,
                              .activation = options.xglm ? Activation::kGelu : Activation::kRelu,
                              .dropout = kDropout,
                              .attention_dropout = options.xglm ? kDropout : 0,
                              .causal = true,
                              .in_steps = options.xglm}));
    }
    if (options.xglm) AddNorm("layer_norm");
  }

  // (N, n) -> (N, n, hidden). Without a cache there are no memories.
  at::Tensor Forward(const at::Tensor& tokens, const std::vector<DecoderMemory>& memories) const {
    const CachePlace place = memories.empty() ? 0 : memories.front().place;
    const int64_t count = tokens.size(1);
    at::Tensor x = words_.Forward(tokens);
    if (options_.xglm) x.mul_(WordScale(options_));
    x.add_(positions_.Rows(place, count));
    at::Tensor mask;
    if (options_.xglm) {
      x = dropout_.Forward(x);
      if (count > 1) mask = CausalMask(count, place.position + count, x.options());
    }
    for (size_t i = 0; i < blocks_.size(); ++i)
      x = blocks_[i]->Forward(x, mask, memories.empty() ? nullptr : &memories[i]);
    return norm_->Forward(x);
  }

  int64_t blocks() const { return options_.num_layers; }
  const at::Tensor& words() const { return words_.weight(); }

 private:
  void AddNorm(std::string name) {
    norm_ = std::make_unique<LayerNorm>(*this, std::move(name),
                                        LayerNormOptions{.features = options_.hidden_size});
  }

  OptOptions options_;
  Embedding words_;
  Positions positions_;
  Dropout dropout_{*this, kDropout};
  std::vector<std::unique_ptr<FairseqBlock>> blocks_;
  std::unique_ptr<LayerNorm> norm_;
};

absl::StatusOr<std::unique_ptr<Model>> Build(std::string_view implementation,
                                             const Parameters& parameters) {
  const absl::Status status =
      CheckMultiple(implementation, parameters, "hidden_size", "attention_heads");
  if (!status.ok()) return status;
  const OptOptions options = {
      .xglm = implementation == "xglm",
      .vocab_size = parameters.Integer("vocab_size"),
      .hidden_size = parameters.Integer("hidden_size"),
      .num_layers = parameters.Integer("num_layers"),
      .attention_heads = parameters.Integer("attention_heads"),
      .ffn_dim = parameters.Integer("ffn_dim"),
      .max_position_embeddings = parameters.Integer("max_position_embeddings")};
  if (options.xglm && (options.hidden_size < 4 || options.hidden_size % 2 != 0)) {
    return absl::InvalidArgumentError(absl::StrCat("xglm: hidden_size ", options.hidden_size,
                                                   " must be even, and 4 or more, for sinusoids"));
  }
  return std::make_unique<ForNextWords<Trunk>>(options, /*tied=*/true);
}

ASSAY_MODEL_IMPLEMENTATION("opt",
                           [](const Parameters& parameters) { return Build("opt", parameters); });

ASSAY_MODEL_IMPLEMENTATION("xglm",
                           [](const Parameters& parameters) { return Build("xglm", parameters); });

}  // namespace
}  // namespace assay::models
