// GPT-Neo and GPT-J as Hugging Face transformers builds them (GPTNeoForCausalLM, GPTJForCausalLM,
// whose attention is one operator after another): tokens in, a score for each next word out, all at
// once or one after another with a cache; GPTNeoForSequenceClassification, a score for each class of a
// row; GPTJForQuestionAnswering, where an answer begins and ends. Tensor names, order and shapes are their state_dict's, so
// their checkpoints fit. Both compute scores of attention in float32 where the model has less.
//
// GPT-Neo learns positions, scales no scores, and every other block sees the last tokens alone.
// GPT-J rotates the first features of queries and keys by their position, and its two sub-layers
// read one norm and are added at once. Neither drops anything in training.

#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/stack.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/embedding.h"
#include "models/layers/core/layer.h"
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/sequence/attention.h"
#include "models/layers/sequence/decoder_memory.h"
#include "models/layers/sequence/key_value_cache.h"
#include "models/layers/sequence/residual_sum.h"
#include "models/layers/sequence/sinusoids.h"
#include "models/layers/text/next_words.h"
#include "models/layers/text/text_heads.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

// Standard deviation of the scores that queries and keys give. With a smaller one attention is
// nearly uniform, and a wrong mask, position or key would hardly be seen.
constexpr double kScoreGain = 2;

struct GptNeoOptions {
  bool gptj;
  int64_t vocab_size;
  int64_t hidden_size;
  int64_t num_layers;
  int64_t num_heads;
  int64_t max_positions;
  int64_t window_size;  // of GPT-Neo's local blocks, tokens
  int64_t rotary_dim;   // of each of GPT-J's heads, features
  double eps;
};

// The inputs of a block beside its tokens.
struct Surroundings {
  at::Tensor mask;              // added to the scores; where rows differ, the keys that each sees
  at::Tensor sines;             // GPT-J: (..., n, rotary_dim / 2), of the tokens' positions
  at::Tensor cosines;           // likewise
  const DecoderMemory* memory;  // null: no cache
};

// Pairs of neighbours among the first features of each head, rotated by the tokens' positions. x is
// (N, n, features).
at::Tensor Rotated(const at::Tensor& x, const Surroundings& around, const GptNeoOptions& options) {
  const at::Tensor heads = x.unflatten(2, {options.num_heads, -1});
  const at::Tensor pairs = heads.narrow(3, 0, options.rotary_dim).unflatten(3, {-1, 2});
  const at::Tensor one = pairs.select(4, 0), other = pairs.select(4, 1);
  const at::Tensor sines = around.sines.unsqueeze(-2), cosines = around.cosines.unsqueeze(-2);
  const at::Tensor rotated =
      at::stack({one.mul(cosines).sub(other.mul(sines)), other.mul(cosines).add(one.mul(sines))}, 4)
          .flatten(3);
  const int64_t rest = heads.size(3) - options.rotary_dim;
  return at::cat({rotated, heads.narrow(3, options.rotary_dim, rest)}, 3).flatten(2);
}

class Attention final : public Layer {
 public:
  Attention(Layer& parent, std::string name, const GptNeoOptions& options)
      : Layer(parent, std::move(name)),
        options_(options),
        key_(*this, "k_proj", Projection(1)),
        value_(*this, "v_proj", Projection(1)),
        query_(*this, "q_proj", Projection(QueryGain(options))),
        out_(*this, "out_proj",
             {.in = options.hidden_size, .out = options.hidden_size, .bias = !options.gptj}) {}

  at::Tensor Forward(const at::Tensor& x, const Surroundings& around) const {
    at::Tensor query = query_.Forward(x);
    KeyValue seen = {key_.Forward(x), value_.Forward(x)};
    if (options_.gptj) {
      query = Rotated(query, around, options_);
      seen.key = Rotated(seen.key, around, options_);
    }
    if (around.memory != nullptr)
      seen = around.memory->cache->Add(seen.key, seen.value, around.memory->place);
    return out_.Forward(Attend(AtLeastFloat(query), AtLeastFloat(seen.key), seen.value,
                               {.heads = options_.num_heads,
                                .mask = around.mask,
                                .scale = Scale(options_),
                                .in_steps = true}));
  }

 private:
  static at::Tensor AtLeastFloat(const at::Tensor& x) {
    return x.scalar_type() == at::kDouble ? x : x.to(at::kFloat);
  }

  // GPT-J: the default, 1 / sqrt(features of a head).
  static std::optional<double> Scale(const GptNeoOptions& options) {
    return options.gptj ? std::nullopt : std::optional<double>(1);
  }

  static double QueryGain(const GptNeoOptions& options) {
    const int64_t features = options.hidden_size / options.num_heads;
    return options.gptj ? kScoreGain : kScoreGain / std::sqrt(static_cast<double>(features));
  }

  LinearOptions Projection(double gain) const {
    return {.in = options_.hidden_size, .out = options_.hidden_size, .bias = false, .gain = gain};
  }

  GptNeoOptions options_;
  Linear key_;
  Linear value_;
  Linear query_;
  Linear out_;
};

class Block final : public Layer {
 public:
  Block(Layer& parent, std::string name, const GptNeoOptions& options)
      : Layer(parent, std::move(name)),
        norm1_(*this, "ln_1", {.features = options.hidden_size, .eps = options.eps}),
        attention_(*this, options.gptj ? "attn" : "attn.attention", options) {
    if (!options.gptj) {
      norm2_ = std::make_unique<LayerNorm>(
          *this, "ln_2", LayerNormOptions{.features = options.hidden_size, .eps = options.eps});
    }
    const int64_t hidden = 4 * options.hidden_size;
    between_ = std::make_unique<Linear>(*this, options.gptj ? "mlp.fc_in" : "mlp.c_fc",
                                        LinearOptions{.in = options.hidden_size, .out = hidden});
    out_ = std::make_unique<Linear>(*this, options.gptj ? "mlp.fc_out" : "mlp.c_proj",
                                    LinearOptions{.in = hidden, .out = options.hidden_size});
  }

  // (N, n, hidden).
  at::Tensor Forward(const at::Tensor& x, const Surroundings& around) const {
    const at::Tensor normed = norm1_.Forward(x);
    const at::Tensor attended = attention_.Forward(normed, around);
    if (!norm2_) return ResidualSum(ResidualSum(attended, FeedForward(normed)), x);
    const at::Tensor y = ResidualSum(attended, x);
    return ResidualSum(FeedForward(norm2_->Forward(y)), y);
  }

 private:
  at::Tensor FeedForward(const at::Tensor& x) const {
    return out_->Forward(Activate(Activation::kGeluTanh, between_->Forward(x)));
  }

  LayerNorm norm1_;
  Attention attention_;
  std::unique_ptr<LayerNorm> norm2_;  // null: GPT-J
  std::unique_ptr<Linear> between_;
  std::unique_ptr<Linear> out_;
};

class Trunk final : public Layer {
 public:
  using Options = GptNeoOptions;

  Trunk(Layer& parent, const GptNeoOptions& options)
      : Layer(parent, "transformer"),
        options_(options),
        words_(*this, "wte", {.rows = options.vocab_size, .features = options.hidden_size}) {
    if (options.gptj) {
      AddConstant(RotarySinusoids(options.max_positions, options.rotary_dim), rotations_);
    } else {
      positions_ = std::make_unique<Embedding>(
          *this, "wpe",
          EmbeddingOptions{.rows = options.max_positions, .features = options.hidden_size});
    }
    for (int64_t i = 0; i < options.num_layers; ++i)
      blocks_.push_back(std::make_unique<Block>(*this, absl::StrCat("h.", i), options));
    norm_ = std::make_unique<LayerNorm>(
        *this, "ln_f", LayerNormOptions{.features = options.hidden_size, .eps = options.eps});
  }

  // (N, n) -> (N, n, hidden). Without a cache there are no memories.
  at::Tensor Forward(const at::Tensor& tokens, const std::vector<DecoderMemory>& memories) const {
    const CachePlace place = memories.empty() ? 0 : memories.front().place;
    const int64_t count = tokens.size(1);
    at::Tensor x = words_.Forward(tokens);
    Surroundings around = {};
    if (options_.gptj) {
      const std::vector<at::Tensor> parts =
          PositionRows(rotations_, place, count, /*offset=*/0).chunk(2, -1);
      around.sines = parts[0];
      around.cosines = parts[1];
    } else {
      x.add_(positions_->Rows(place, count));
    }
    const at::TensorOptions of_scores =
        x.options().dtype(x.scalar_type() == at::kDouble ? at::kDouble : at::kFloat);
    const auto mask = [&](int64_t window) {
      return place.rows.defined() ? SeenByRows(place, window)
                                  : CausalMask(count, place.position + count, of_scores, window);
    };
    const at::Tensor all = mask(0), last = options_.gptj ? all : mask(options_.window_size);
    for (size_t i = 0; i < blocks_.size(); ++i) {
      around.mask = i % 2 == 0 ? all : last;
      around.memory = memories.empty() ? nullptr : &memories[i];
      x = blocks_[i]->Forward(x, around);
    }
    return norm_->Forward(x);
  }

  // All inputs of a head without a cache.
  at::Tensor Forward(at::ArrayRef<at::Tensor> inputs) const { return Forward(inputs[0], {}); }

  int64_t blocks() const { return options_.num_layers; }
  const at::Tensor& words() const { return words_.weight(); }

 private:
  GptNeoOptions options_;
  Embedding words_;
  at::Tensor rotations_;  // GPT-J: (max_positions, rotary_dim), sines and cosines
  std::unique_ptr<Embedding> positions_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::unique_ptr<LayerNorm> norm_;
};

absl::StatusOr<GptNeoOptions> OptionsOf(std::string_view implementation,
                                        const Parameters& parameters) {
  const absl::Status status = CheckMultiple(implementation, parameters, "hidden_size", "num_heads");
  if (!status.ok()) return status;
  const bool gptj = implementation == "gptj";
  const GptNeoOptions options = {.gptj = gptj,
                                 .vocab_size = parameters.Integer("vocab_size"),
                                 .hidden_size = parameters.Integer("hidden_size"),
                                 .num_layers = parameters.Integer("num_layers"),
                                 .num_heads = parameters.Integer("num_heads"),
                                 .max_positions = parameters.Integer("max_position_embeddings"),
                                 .window_size = gptj ? 0 : parameters.Integer("window_size"),
                                 .rotary_dim = gptj ? parameters.Integer("rotary_dim") : 0,
                                 .eps = parameters.Real("layer_norm_epsilon")};
  if (options.rotary_dim % 2 != 0 || options.rotary_dim > options.hidden_size / options.num_heads) {
    return absl::InvalidArgumentError(
        absl::StrCat("gptj: rotary_dim ", options.rotary_dim,
                     " must be even, and at most the features of a head, ",
                     options.hidden_size / options.num_heads));
  }
  return options;
}

// `more`: what the model is built of beside the options.
template <typename Built, typename... More>
absl::StatusOr<std::unique_ptr<Model>> Build(std::string_view implementation,
                                             const Parameters& parameters, More... more) {
  const absl::StatusOr<GptNeoOptions> options = OptionsOf(implementation, parameters);
  if (!options.ok()) return options.status();
  return std::make_unique<Built>(*options, more...);
}

ASSAY_MODEL_IMPLEMENTATION("gpt_neo", [](const Parameters& parameters) {
  return Build<ForNextWords<Trunk>>("gpt_neo", parameters, /*tied=*/true);
});

ASSAY_MODEL_IMPLEMENTATION("gpt_neo_sequence_classification", [](const Parameters& parameters) {
  return Build<ForSequenceClassification<Trunk>>(
      "gpt_neo", parameters, parameters.Integer("hidden_size"), parameters.Integer("num_labels"),
      parameters.Integer("pad_token_id"));
});

ASSAY_MODEL_IMPLEMENTATION("gptj", [](const Parameters& parameters) {
  return Build<ForNextWords<Trunk>>("gptj", parameters, /*tied=*/false);
});

ASSAY_MODEL_IMPLEMENTATION("gptj_qa", [](const Parameters& parameters) {
  return Build<ForQuestionAnswering<Trunk>>("gptj", parameters, parameters.Integer("hidden_size"));
});

}  // namespace
}  // namespace assay::models
