#include "models/layers/text/llama_decoder.h"

#include <ATen/OpMathType.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/argsort.h>
#include <ATen/ops/bincount.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/zeros_like.h>

#include <cmath>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "models/choices.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/recipes.h"
#include "models/layers/sequence/attention.h"
#include "models/layers/sequence/residual_sum.h"

namespace assay::models {
namespace {

// Factor on the recipe of query and key. With plain weights attention is nearly uniform, and a wrong
// position or a missing key would hardly be seen.
constexpr double kAttentionGain = 2;

// gpt-oss: slope of its gate, and the largest value of gate and factor.
constexpr double kGateSlope = 1.702, kGateLimit = 7;

RmsNormOptions Norm(const LlamaOptions& o, int64_t features) {
  return {.features = features, .eps = o.rms_norm_eps, .from_one = o.style.gemma};
}

bool HasWindow(const LlamaOptions& o, int64_t layer) {
  return o.window > 0 && (o.window_pattern == 0 || (layer + 1) % o.window_pattern != 0);
}

class Attention final : public Layer {
 public:
  Attention(Layer& parent, const LlamaOptions& o, int64_t layer)
      : Layer(parent, "self_attn"),
        attend_{.heads = o.heads,
                .causal = true,
                .window = HasWindow(o, layer) ? o.window : 0,
                .key_heads = o.key_heads,
                .soft_cap = o.attention_cap},
        head_dim_(o.head_dim),
        query_(*this, "q_proj", Projection(o, o.heads, kAttentionGain)),
        key_(*this, "k_proj", Projection(o, o.key_heads, kAttentionGain)),
        value_(*this, "v_proj", Projection(o, o.key_heads, 1)),
        out_(*this, "o_proj",
             {.in = o.heads * o.head_dim, .out = o.hidden_size, .bias = o.attention_bias}) {
    if (o.query_scalar > 0) attend_.scale = 1 / std::sqrt(static_cast<double>(o.query_scalar));
    if (o.style.head_norms) {
      query_norm_ = std::make_unique<RmsNorm>(*this, "q_norm", Norm(o, o.head_dim));
      key_norm_ = std::make_unique<RmsNorm>(*this, "k_norm", Norm(o, o.head_dim));
    }
    if (o.style.gpt_oss) AddParameter("sinks", {o.heads}, EmbeddingInit(), sinks_);
  }

  at::Tensor Forward(const at::Tensor& x, const LlamaSeen& seen,
                     const std::optional<KeyValueCache>& cache, const CachePlace& place) const {
    const Rotary::Turn& turn = seen.turn;
    const at::Tensor query = Turned(query_, query_norm_.get(), x, turn);
    KeyValue all = {Turned(key_, key_norm_.get(), x, turn), value_.Forward(x)};
    if (cache) all = cache->Add(all.key, all.value, place);
    AttentionOptions options = attend_;
    options.sinks = sinks_;
    if (seen.mask.defined()) {
      options.mask = seen.mask;
      options.causal = false;
    }
    return out_.Forward(Attend(query, all.key, all.value, options));
  }

 private:
  static LinearOptions Projection(const LlamaOptions& o, int64_t heads, double gain) {
    return {.in = o.hidden_size, .out = heads * o.head_dim, .bias = o.attention_bias, .gain = gain};
  }

  at::Tensor Turned(const Linear& projection, const RmsNorm* norm, const at::Tensor& x,
                    const Rotary::Turn& turn) const {
    at::Tensor y = projection.Forward(x).unflatten(-1, {-1, head_dim_});
    if (norm != nullptr) y = norm->Forward(y);
    return Rotate(y, turn).flatten(-2);
  }

  AttentionOptions attend_;
  int64_t head_dim_;
  at::Tensor sinks_;  // (heads), or undefined
  Linear query_;
  Linear key_;
  Linear value_;
  Linear out_;
  std::unique_ptr<RmsNorm> query_norm_;
  std::unique_ptr<RmsNorm> key_norm_;
};

// A layer that sees one token: (N, n, features) -> the same.
class Mlp : public Layer {
 public:
  using Layer::Layer;
  virtual at::Tensor Forward(const at::Tensor& x) const = 0;
};

class GatedMlp final : public Mlp {
 public:
  GatedMlp(Layer& parent, const LlamaOptions& o)
      : Mlp(parent, "mlp"),
        activation_(o.style.gemma ? Activation::kGeluTanh : Activation::kSilu),
        gate_(*this, "gate_proj", Widening(o)),
        up_(*this, "up_proj", Widening(o)),
        down_(*this, "down_proj",
              {.in = o.intermediate_size, .out = o.hidden_size, .bias = false}) {}

  at::Tensor Forward(const at::Tensor& x) const override {
    return down_.Forward(Activate(activation_, gate_.Forward(x)).mul_(up_.Forward(x)));
  }

 private:
  static LinearOptions Widening(const LlamaOptions& o) {
    return {.in = o.hidden_size, .out = o.intermediate_size, .bias = false};
  }

  Activation activation_;
  Linear gate_;
  Linear up_;
  Linear down_;
};

// Each token goes through a few experts that a router chooses, and gets the sum of their results by
// the router's weights. The sum is float32 at least, as in transformers 5. How many tokens an expert has is
// read back from the device.
class Experts final : public Mlp {
 public:
  Experts(Layer& parent, const LlamaOptions& o)
      : Mlp(parent, "mlp"),
        gpt_oss_(o.style.gpt_oss),
        experts_(o.experts),
        experts_per_token_(o.experts_per_token),
        router_(*this, gpt_oss_ ? "router" : "gate",
                {.in = o.hidden_size, .out = o.experts, .bias = gpt_oss_}),
        weights_(*this, o) {}

  at::Tensor Forward(const at::Tensor& x) const override {
    const at::Tensor tokens = x.flatten(0, 1);
    const auto [shares, chosen] = Route(tokens);
    // The tokens of one expert stand together.
    const at::Tensor flat = chosen.flatten();
    const at::Tensor order = flat.argsort(/*stable=*/true, 0);
    const at::Tensor counts = at::bincount(flat, {}, experts_).cpu();
    const at::Tensor token = order.floor_divide(experts_per_token_);
    const at::Tensor share = shares.flatten().index_select(0, order);
    const at::ScalarType wide = at::toOpMathType(tokens.scalar_type());
    at::Tensor sum = at::zeros_like(tokens, tokens.options().dtype(wide));
    int64_t first = 0;
    for (int64_t expert = 0; expert < experts_; ++expert) {
      const auto count = counts.const_data_ptr<int64_t>()[expert];
      if (count == 0) continue;
      const at::Tensor rows = token.narrow(0, first, count);
      const at::Tensor y = weights_.Forward(tokens.index_select(0, rows), expert);
      sum = sum.index_add_(0, rows, (y * share.narrow(0, first, count).unsqueeze(1)).to(wide));
      first += count;
    }
    return sum.to(x.scalar_type()).view_as(x);
  }

 private:
  class Weights final : public Layer {
   public:
    Weights(Layer& parent, const LlamaOptions& o)
        : Layer(parent, "experts"), gpt_oss_(o.style.gpt_oss) {
      const int64_t in = o.hidden_size, between = o.intermediate_size, n = o.experts;
      if (gpt_oss_) {
        AddParameter("gate_up_proj", {n, in, 2 * between}, WeightInit(in), gate_up_);
        AddParameter("gate_up_proj_bias", {n, 2 * between}, BiasInit(), gate_up_bias_);
        AddParameter("down_proj", {n, between, in}, WeightInit(between), down_);
        AddParameter("down_proj_bias", {n, in}, BiasInit(), down_bias_);
      } else {
        AddParameter("gate_up_proj", {n, 2 * between, in}, WeightInit(in), gate_up_);
        AddParameter("down_proj", {n, in, between}, WeightInit(between), down_);
      }
    }

    at::Tensor Forward(const at::Tensor& x, int64_t expert) const {
      if (!gpt_oss_) {
        const std::vector<at::Tensor> parts = at::linear(x, gate_up_[expert]).chunk(2, -1);
        return at::linear(at::silu(parts[0]) * parts[1], down_[expert]);
      }
      const at::Tensor both = at::addmm(gate_up_bias_[expert], x, gate_up_[expert]);
      const at::Tensor gate = both.slice(-1, 0, both.size(-1), 2).clamp_max(kGateLimit);
      const at::Tensor up = both.slice(-1, 1, both.size(-1), 2).clamp(-kGateLimit, kGateLimit);
      return at::addmm(down_bias_[expert], (up + 1) * (gate * at::sigmoid(gate * kGateSlope)),
                       down_[expert]);
    }

   private:
    bool gpt_oss_;
    at::Tensor gate_up_, gate_up_bias_, down_, down_bias_;
  };

  // tokens (T, features) -> shares and numbers of each one's experts, (T, experts_per_token). Mixtral's shares are
  // float32 at least.
  std::pair<at::Tensor, at::Tensor> Route(const at::Tensor& tokens) const {
    const at::Tensor scores = router_.Forward(tokens);
    if (gpt_oss_) {
      const auto [best, chosen] = Chosen(scores, experts_per_token_);
      return {at::softmax(best, 1), chosen};
    }
    const at::ScalarType wide = at::toOpMathType(scores.scalar_type());
    const auto [best, chosen] = Chosen(at::softmax(scores, 1, wide), experts_per_token_);
    return {best / best.sum(1, /*keepdim=*/true), chosen};
  }

  bool gpt_oss_;
  int64_t experts_;
  int64_t experts_per_token_;
  Linear router_;
  Weights weights_;
};

std::unique_ptr<Mlp> NewMlp(Layer& parent, const LlamaOptions& o) {
  if (o.style.mixtral || o.style.gpt_oss) return std::make_unique<Experts>(parent, o);
  return std::make_unique<GatedMlp>(parent, o);
}

}  // namespace

class LlamaDecoder::Block final : public Layer {
 public:
  Block(Layer& parent, std::string name, const LlamaOptions& o, int64_t layer)
      : Layer(parent, std::move(name)),
        has_window_(HasWindow(o, layer)),
        attention_(*this, o, layer),
        mlp_(NewMlp(*this, o)),
        norm1_(*this, "input_layernorm", Norm(o, o.hidden_size)),
        norm2_(*this, "post_attention_layernorm", Norm(o, o.hidden_size)) {
    if (!o.style.gemma) return;
    before_mlp_ =
        std::make_unique<RmsNorm>(*this, "pre_feedforward_layernorm", Norm(o, o.hidden_size));
    after_mlp_ =
        std::make_unique<RmsNorm>(*this, "post_feedforward_layernorm", Norm(o, o.hidden_size));
  }

  bool has_window() const { return has_window_; }

  // (N, n, features). With a cache the tokens stand at `place` behind those in it.
  at::Tensor Forward(const at::Tensor& x, const LlamaSeen& seen,
                     const std::optional<KeyValueCache>& cache, const CachePlace& place) const {
    const at::Tensor attended = attention_.Forward(norm1_.Forward(x), seen, cache, place);
    if (before_mlp_ == nullptr) {
      const at::Tensor y = ResidualSum(attended, x);
      return ResidualSum(mlp_->Forward(norm2_.Forward(y)), y);
    }
    const at::Tensor y = ResidualSum(norm2_.Forward(attended), x);
    return ResidualSum(after_mlp_->Forward(mlp_->Forward(before_mlp_->Forward(y))), y);
  }

 private:
  bool has_window_;
  Attention attention_;
  std::unique_ptr<Mlp> mlp_;
  RmsNorm norm1_;
  RmsNorm norm2_;
  std::unique_ptr<RmsNorm> before_mlp_;
  std::unique_ptr<RmsNorm> after_mlp_;
};

LlamaDecoder::LlamaDecoder(Layer& parent, std::string name, const LlamaOptions& o)
    : Layer(parent, std::move(name)),
      embedding_scale_(o.style.gemma ? std::sqrt(static_cast<float>(o.hidden_size)) : 1),
      key_features_(o.key_heads * o.head_dim),
      window_(o.window),
      words_(*this, "embed_tokens", {.rows = o.vocab_size, .features = o.hidden_size}),
      rotary_(*this, o.rotary) {
  for (int64_t i = 0; i < o.layers; ++i)
    blocks_.push_back(std::make_unique<Block>(*this, absl::StrCat("layers.", i), o, i));
  norm_ = std::make_unique<RmsNorm>(*this, "norm", Norm(o, o.hidden_size));
  if (!o.style.local_frequencies) return;
  local_rotary_ = std::make_unique<Rotary>(
      *this, RotaryOptions{.features = o.head_dim, .theta = o.local_theta});
}

LlamaDecoder::~LlamaDecoder() = default;

at::Tensor LlamaDecoder::Words(const at::Tensor& tokens) const {
  at::Tensor x = words_.Forward(tokens);
  // transformers rounds the factor to the model's dtype.
  if (embedding_scale_ != 1) x.mul_(at::scalar_tensor(embedding_scale_, x.options()));
  return x;
}

std::vector<at::Tensor> LlamaDecoder::NewCache(int64_t rows, int64_t capacity) const {
  std::vector<at::Tensor> cache;
  for (size_t i = 0; i < 2 * blocks_.size(); ++i)
    cache.push_back(at::empty({rows, capacity, key_features_}, words_.weight().options()));
  return cache;
}

at::Tensor LlamaDecoder::Forward(const at::Tensor& x, const at::Tensor& there,
                                 const CachePlace& place, at::ArrayRef<at::Tensor> cache) const {
  const int64_t n = x.size(1);
  at::Tensor positions = rotary_.Positions(place, n);
  if (there.defined()) positions = (positions - there.eq(0).sum(1, /*keepdim=*/true)).clamp_min(0);
  const at::ScalarType dtype = words_.weight().scalar_type();
  // How layers see tokens, without a window and with one.
  const LlamaSeen whole = {rotary_.At(positions, dtype), Mask(there, place, n, 0)};
  LlamaSeen windowed = whole;
  if (local_rotary_ != nullptr) windowed.turn = local_rotary_->At(positions, dtype);
  if (window_ > 0) windowed.mask = Mask(there, place, n, window_);
  at::Tensor y = x;
  for (size_t i = 0; i < blocks_.size(); ++i) {
    std::optional<KeyValueCache> of_block;
    if (!cache.empty()) of_block.emplace(cache[2 * i], cache[2 * i + 1]);
    y = blocks_[i]->Forward(y, blocks_[i]->has_window() ? windowed : whole, of_block, place);
  }
  return y;
}

at::Tensor LlamaDecoder::Mask(const at::Tensor& there, const CachePlace& place, int64_t n,
                              int64_t window) const {
  if (place.rows.defined()) {
    const at::Tensor seen = SeenByRows(place, window);
    return there.defined() ? seen.logical_and(there.ne(0).unsqueeze(1).unsqueeze(1)) : seen;
  }
  if (!there.defined()) return {};
  const int64_t keys = there.size(1);
  at::Tensor causal = at::ones({n, keys}, there.options().dtype(at::kBool)).tril_(keys - n);
  if (window > 0) causal.triu_(keys - n - window + 1);
  const at::Tensor self = at::eye(keys, causal.options()).narrow(0, keys - n, n);
  return causal.logical_and(there.ne(0).unsqueeze(1)).logical_or_(self).unsqueeze(1);
}

}  // namespace assay::models
