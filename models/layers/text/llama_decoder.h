#ifndef ASSAY_MODELS_LAYERS_TEXT_LLAMA_DECODER_H_
#define ASSAY_MODELS_LAYERS_TEXT_LLAMA_DECODER_H_

// ---------------------------------------------------------------------------------------------
// models/layers/text/llama_decoder.h: decoders of the kind that Llama began, as Hugging Face transformers
// builds them: RMS norm, rotary positions, keys that several queries share, gated feed-forward. Llama,
// Mistral, Qwen3, Gemma 2 and 3 and, with experts, Mixtral and gpt-oss are this code with other
// settings (LlamaStyle).
//
// Not for: scores of words, other blocks (next_words.h).
//
// Example:
//
//     LlamaDecoder decoder{*this, "model", {.vocab_size = 32000, ...}};
//     at::Tensor x = decoder.Forward(decoder.Words(tokens), {}, 0, {});     // (N, S, hidden_size)
//     at::Tensor logits = scores.Forward(decoder.Normed(x));
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/layers/core/embedding.h"
#include "models/layers/core/layer.h"
#include "models/layers/sequence/key_value_cache.h"
#include "models/layers/sequence/rms_norm.h"
#include "models/layers/sequence/rotary.h"

namespace assay::models {

// The code that a model type runs beside Llama's.
struct LlamaStyle {
  bool gemma = false;       // norms scale by 1 + weight and stand behind sub-layers too; GELU
  bool head_norms = false;  // RMS norms of each query and key
  bool local_frequencies = false;  // layers with a window have frequencies of their own
  bool mixtral = false;            // experts
  bool gpt_oss = false;            // experts with biases, sinks of attention
};

struct LlamaOptions {
  LlamaStyle style = {};
  int64_t vocab_size;
  int64_t hidden_size;
  int64_t intermediate_size;
  int64_t layers;
  int64_t heads;
  int64_t key_heads;
  int64_t head_dim;
  double rms_norm_eps;
  RotaryOptions rotary;
  double local_theta = 0;
  int64_t window = 0;          // keys that a layer sees at most; 0: all
  int64_t window_pattern = 0;  // each layer of this number has no window; 0: none
  int64_t query_scalar = 0;    // scores are divided by its root; 0: head_dim
  double attention_cap = 0;    // 0: none
  bool attention_bias = false;
  int64_t experts = 0;
  int64_t experts_per_token = 0;
};

// How a layer sees tokens: the turn of their positions and, where rows are padded or differ, the keys of each,
// bool (N, 1, n, T).
struct LlamaSeen {
  Rotary::Turn turn;
  at::Tensor mask;
};

class LlamaDecoder final : public Layer {
 public:
  LlamaDecoder(Layer& parent, std::string name, const LlamaOptions& options);
  ~LlamaDecoder();

  // Tokens, int64 (N, n) -> (N, n, hidden_size).
  at::Tensor Words(const at::Tensor& tokens) const;

  // For each block its keys, then its values, (rows, capacity, features).
  std::vector<at::Tensor> NewCache(int64_t rows, int64_t capacity) const;

  // x (N, n, hidden_size), tokens that stand at `place` -> the same, for Normed(). `there` says which
  // tokens up to the last one there are, int64 (N, place.position + n), where rows are padded at their
  // beginning; a padding token sees itself, so that no row of scores is empty. Undefined: all are
  // there. `cache` begins with what NewCache() made; empty: none.
  at::Tensor Forward(const at::Tensor& x, const at::Tensor& there, const CachePlace& place,
                     at::ArrayRef<at::Tensor> cache) const;

  // The last norm, behind which words are scored.
  at::Tensor Normed(const at::Tensor& x) const { return norm_->Forward(x); }

  const at::Tensor& words() const { return words_.weight(); }

 private:
  class Block;

  // The keys, by their places, that n tokens see: in rows padded so, or at places of their own. Undefined:
  // each token sees all before it.
  at::Tensor Mask(const at::Tensor& there, const CachePlace& place, int64_t n,
                  int64_t window) const;

  float embedding_scale_;  // in float64 too, as transformers keeps it
  int64_t key_features_;
  int64_t window_;
  Embedding words_;
  Rotary rotary_;
  std::unique_ptr<Rotary> local_rotary_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::unique_ptr<RmsNorm> norm_;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_TEXT_LLAMA_DECODER_H_
