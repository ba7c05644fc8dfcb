#ifndef ASSAY_MODELS_LAYERS_ATTENTION_H_
#define ASSAY_MODELS_LAYERS_ATTENTION_H_

// ---------------------------------------------------------------------------------------------
// models/layers/attention.h: multi-head attention between projections, on ATen's fused operator
// (scaled_dot_product_attention picks flash, memory-efficient, cuDNN or plain kernels itself).
//
// These are functions, not a layer, because the projections' names, number and fusion differ by
// family while this part is the same in all of them.
//
// Not for: rotary or relative positions, keeping keys and values (key_value_cache.h).
//
// Example, an encoder's self-attention with padded rows:
//
//     const at::Tensor mask = PaddingMask(attention_mask, x.scalar_type());  // once for all layers
//     at::Tensor y = Attend(query.Forward(x), key.Forward(x), value.Forward(x),
//                           {.heads = 12, .mask = mask});
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace assay::models {

struct AttentionOptions {
  int64_t heads;
  at::Tensor mask = {};  // added to the scores, broadcastable to (N, heads, S, T); undefined: none
  double dropout = 0;    // probability of dropping an attention weight
  // Whether query s of S sees only keys up to T - S + s: the S last tokens of T. Excludes a mask.
  bool causal = false;
};

// softmax(Q K^T / sqrt(features / heads) + mask) V for each head. query is (N, S, features), key
// and value (N, T, features); features is a multiple of heads. Returns (N, S, features),
// contiguous.
at::Tensor Attend(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                  const AttentionOptions& options);

// Turns a padding mask (N, T), nonzero = token, zero = padding, into the additive form: 0 or minus
// infinity in `dtype`, (N, 1, T, T) as a view of (N, 1, 1, T) numbers. Boolean masks give the same
// result, but the operator would convert and expand them again in each layer.
at::Tensor PaddingMask(const at::Tensor& tokens, at::ScalarType dtype);

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_ATTENTION_H_
