// Phi as Hugging Face transformers builds it (PhiForCausalLM with "sdpa" attention): a decoder that
// turns the first features of queries and keys by their position, and whose two sub-layers read one
// norm and are added at once. Tensor names, order and shapes are its state_dict's, so its checkpoints
// fit. It drops nothing in training, as PhiConfig has it.

#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>

#include <cstdint>
#include <memory>
#include <string>
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
#include "models/layers/sequence/rotary.h"
#include "models/layers/text/next_words.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

// Factor on the recipe of query and key. With plain weights attention is nearly uniform, and a wrong
// position or a missing key would hardly be seen.
constexpr double kAttentionGain = 2;

struct PhiOptions {
  int64_t vocab_size;
  int64_t hidden_size;
  int64_t intermediate_size;
  int64_t layers;
  int64_t heads;
  double eps;
  RotaryOptions rotary;  // its features are those of a head that are turned
};

class Attention final : public Layer {
 public:
  Attention(Layer& parent, const PhiOptions& o)
      : Layer(parent, "self_attn"),
        heads_(o.heads),
        turned_(o.rotary.features),
        query_(*this, "q_proj", Projection(o, kAttentionGain)),
        key_(*this, "k_proj", Projection(o, kAttentionGain)),
        value_(*this, "v_proj", Projection(o, 1)),
        out_(*this, "dense", Projection(o, 1)) {}

  at::Tensor Forward(const at::Tensor& x, const Rotary::Turn& turn,
                     const DecoderMemory* memory) const {
    KeyValue seen = {Turned(key_.Forward(x), turn), value_.Forward(x)};
    at::Tensor mask;
    if (memory != nullptr) {
      seen = memory->cache->Add(seen.key, seen.value, memory->place);
      mask = memory->seen;
    }
    return out_.Forward(Attend(Turned(query_.Forward(x), turn), seen.key, seen.value,
                               {.heads = heads_, .mask = mask, .causal = !mask.defined()}));
  }

 private:
  static LinearOptions Projection(const PhiOptions& o, double gain) {
    return {.in = o.hidden_size, .out = o.hidden_size, .gain = gain};
  }

  // (N, n, features) -> the same, where the first features of each head are turned.
  at::Tensor Turned(const at::Tensor& x, const Rotary::Turn& turn) const {
    const at::Tensor heads = x.unflatten(-1, {heads_, -1});
    const at::Tensor turned = Rotate(heads.narrow(-1, 0, turned_), turn);
    const at::Tensor rest = heads.narrow(-1, turned_, heads.size(-1) - turned_);
    return at::cat({turned, rest}, -1).flatten(-2);
  }

  int64_t heads_;
  int64_t turned_;
  Linear query_;
  Linear key_;
  Linear value_;
  Linear out_;
};

class Block final : public Layer {
 public:
  Block(Layer& parent, std::string name, const PhiOptions& o)
      : Layer(parent, std::move(name)),
        attention_(*this, o),
        widen_(*this, "mlp.fc1", {.in = o.hidden_size, .out = o.intermediate_size}),
        narrow_(*this, "mlp.fc2", {.in = o.intermediate_size, .out = o.hidden_size}),
        norm_(*this, "input_layernorm", {.features = o.hidden_size, .eps = o.eps}) {}

  // (N, n, hidden). `memory` is null where there is no cache.
  at::Tensor Forward(const at::Tensor& x, const Rotary::Turn& turn,
                     const DecoderMemory* memory) const {
    const at::Tensor normed = norm_.Forward(x);
    const at::Tensor wide = Activate(Activation::kGeluTanh, widen_.Forward(normed));
    const at::Tensor attended = attention_.Forward(normed, turn, memory);
    return ResidualSum(ResidualSum(attended, narrow_.Forward(wide)), x);
  }

 private:
  Attention attention_;
  Linear widen_;
  Linear narrow_;
  LayerNorm norm_;
};

class Trunk final : public Layer {
 public:
  using Options = PhiOptions;

  Trunk(Layer& parent, const PhiOptions& o)
      : Layer(parent, "model"),
        words_(*this, "embed_tokens", {.rows = o.vocab_size, .features = o.hidden_size}),
        rotary_(*this, o.rotary) {
    for (int64_t i = 0; i < o.layers; ++i)
      blocks_.push_back(std::make_unique<Block>(*this, absl::StrCat("layers.", i), o));
    norm_ = std::make_unique<LayerNorm>(*this, "final_layernorm",
                                        LayerNormOptions{.features = o.hidden_size, .eps = o.eps});
  }

  // (N, n) -> (N, n, hidden). Without a cache there are no memories.
  at::Tensor Forward(const at::Tensor& tokens, const std::vector<DecoderMemory>& memories) const {
    const CachePlace place = memories.empty() ? 0 : memories.front().place;
    at::Tensor x = words_.Forward(tokens);
    const Rotary::Turn turn = rotary_.At(rotary_.Positions(place, tokens.size(1)), x.scalar_type());
    for (size_t i = 0; i < blocks_.size(); ++i)
      x = blocks_[i]->Forward(x, turn, memories.empty() ? nullptr : &memories[i]);
    return norm_->Forward(x);
  }

  int64_t blocks() const { return static_cast<int64_t>(blocks_.size()); }
  const at::Tensor& words() const { return words_.weight(); }

 private:
  Embedding words_;
  Rotary rotary_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::unique_ptr<LayerNorm> norm_;
};

absl::StatusOr<std::unique_ptr<Model>> NewPhi(const Parameters& parameters) {
  const absl::Status status =
      CheckMultiple("phi", parameters, "hidden_size", "num_attention_heads");
  if (!status.ok()) return status;
  const int64_t hidden = parameters.Integer("hidden_size");
  const int64_t heads = parameters.Integer("num_attention_heads");
  const double share = parameters.Real("partial_rotary_factor");
  // Rounded down, as transformers does.
  const auto turned = static_cast<int64_t>(static_cast<double>(hidden / heads) * share);
  if (turned % 2 != 0 || turned == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("phi: partial_rotary_factor ", share, " turns ", turned, " of a head's ",
                     hidden / heads, " features; they are turned in pairs, one pair or more"));
  }
  return std::make_unique<ForNextWords<Trunk>>(
      PhiOptions{.vocab_size = parameters.Integer("vocab_size"),
                 .hidden_size = hidden,
                 .intermediate_size = parameters.Integer("intermediate_size"),
                 .layers = parameters.Integer("num_hidden_layers"),
                 .heads = heads,
                 .eps = parameters.Real("layer_norm_eps"),
                 .rotary = {.features = turned,
                            .theta = parameters.Real("rope_theta"),
                            .positions = parameters.Integer("max_position_embeddings")}},
      /*tied=*/false);
}

ASSAY_MODEL_IMPLEMENTATION("phi", NewPhi);

}  // namespace
}  // namespace assay::models
