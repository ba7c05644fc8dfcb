#ifndef ASSAY_MODELS_LAYERS_SEQUENCE_ATTENTION_H_
#define ASSAY_MODELS_LAYERS_SEQUENCE_ATTENTION_H_

// ---------------------------------------------------------------------------------------------
// models/layers/sequence/attention.h: multi-head attention between projections, on ATen's fused operator
// (scaled_dot_product_attention picks flash, memory-efficient, cuDNN or plain kernels itself).
//
// These are functions, not a layer, because the projections' names, number and fusion differ by
// family while this part is the same in all of them.
//
// If a family computes its scores by itself, AttendByScores() does the rest with plain operators.
//
// Not for: rotary (rotary.h) or relative positions, keeping keys and values (key_value_cache.h).
//
// Example, an encoder's self-attention with padded rows:
//
//     const at::Tensor mask = PaddingMask(attention_mask, x.scalar_type());  // once for all layers
//     at::Tensor y = Attend(query.Forward(x), key.Forward(x), value.Forward(x),
//                           {.heads = 12, .mask = mask});
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>

namespace assay::models {

struct AttentionOptions {
  int64_t heads;
  at::Tensor mask = {};  // added to the scores, broadcastable to (N, heads, S, T); undefined: none
  double dropout = 0;    // probability of dropping an attention weight
  // Whether query s of S sees only keys up to T - S + s: the S last tokens of T. Excludes a mask.
  bool causal = false;
  int64_t window = 0;     // with causal: the most keys that a query sees, the last ones; 0: all
  int64_t key_heads = 0;  // heads of key and value, each for heads / key_heads queries; 0: as many
  std::optional<double> scale = {};  // of the scores; absent: 1 / sqrt(features of a head)
  // One operator after another, for models that transformers builds so: the scores stand in memory, in
  // the dtype of query and key, and the weights in that of the value. Always so with the two below,
  // which no fused kernel has.
  bool in_steps = false;
  double soft_cap = 0;    // scores become soft_cap * tanh(scores / soft_cap); 0: they stay
  at::Tensor sinks = {};  // (heads): the score of one more key, whose value is 0; undefined: none
};

// softmax(Q K^T * scale + mask) V for each head. query is (N, S, heads * d), key and value
// (N, T, key_heads * d). Returns (N, S, heads * d), contiguous.
at::Tensor Attend(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                  const AttentionOptions& options);

// The mask that is added to the scores of `queries` tokens, the last of `keys`, so that none sees a later
// one: 0 or minus infinity, (queries, keys). With a window a token sees that many, itself the last.
at::Tensor CausalMask(int64_t queries, int64_t keys, const at::TensorOptions& options,
                      int64_t window = 0);

// (N, S, features) -> (N, heads, S, features / heads), a view.
at::Tensor SplitHeads(const at::Tensor& x, int64_t heads);

// softmax(scores) V for each head, where weights are dropped with probability `dropout`: scores
// (N, heads, S, T), value (N, heads, T, d) -> (N, S, heads, d), contiguous.
at::Tensor AttendByScores(const at::Tensor& scores, const at::Tensor& value, double dropout);

// The lowest finite number of a floating-point dtype. As a score it leaves a key no weight, and the
// same weight to all keys where each key has it, for which minus infinity would give NaN.
double LowestScore(at::ScalarType dtype);

// Turns a padding mask (N, T), nonzero = token, zero = padding, into the additive form: 0 or minus
// infinity in `dtype`, (N, 1, T, T) as a view of (N, 1, 1, T) numbers. Boolean masks give the same
// result, but the operator would convert and expand them again in each layer. With `causal`, query
// s of T sees only keys up to s as well, and the mask has its own (N, 1, T, T) numbers.
at::Tensor PaddingMask(const at::Tensor& tokens, at::ScalarType dtype, bool causal = false);

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_SEQUENCE_ATTENTION_H_
