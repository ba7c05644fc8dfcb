#include "models/layers/sequence/attention.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/zeros.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include <cmath>
#include <limits>
#include <optional>

namespace assay::models {

at::Tensor SplitHeads(const at::Tensor& x, int64_t heads) {
  return x.view({x.size(0), x.size(1), heads, x.size(2) / heads}).transpose(1, 2);
}

namespace {

// (N, heads, T, d) -> (N, heads * times, T, d): each head for so many queries.
at::Tensor Repeated(const at::Tensor& x, int64_t times) {
  if (times == 1) return x;
  return x.unsqueeze(2).expand({-1, -1, times, -1, -1}).flatten(1, 2);
}

// softmax(scores) V, with weights dropped; scores (N, H, S, T), value (N, H, T, d).
at::Tensor Weighted(const at::Tensor& scores, const at::Tensor& value, double dropout) {
  at::Tensor weights = at::softmax(scores, -1);
  // A sink is a score without a value.
  if (weights.size(3) > value.size(2)) weights = weights.narrow(3, 0, value.size(2));
  if (dropout > 0) weights = at::dropout(weights, dropout, /*train=*/true);
  return at::matmul(weights.to(value.scalar_type()), value);
}

// Attention operator by operator; query (N, H, S, d), key and value (N, H, T, d).
at::Tensor AttendPlainly(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                         const std::optional<at::Tensor>& mask, double scale,
                         const AttentionOptions& options) {
  at::Tensor scores = at::matmul(query, key.transpose(2, 3));
  if (scale != 1) scores.mul_(scale);
  if (options.soft_cap > 0) scores = at::tanh(scores / options.soft_cap) * options.soft_cap;
  if (mask && mask->scalar_type() == at::kBool) {
    scores.masked_fill_(mask->logical_not(), -std::numeric_limits<double>::infinity());
  } else if (mask) {
    scores.add_(*mask);
  }
  if (options.sinks.defined()) {
    const at::Tensor sinks = options.sinks.view({1, query.size(1), -1, 1});
    scores = at::cat({scores, sinks.expand({query.size(0), -1, query.size(2), 1})}, -1);
  }
  return Weighted(scores, value, options.dropout);
}

// Back, with a copy unless the heads are stored token by token already.
at::Tensor MergeHeads(const at::Tensor& x) { return x.transpose(1, 2).flatten(2); }

}  // namespace

at::Tensor AttendByScores(const at::Tensor& scores, const at::Tensor& value, double dropout) {
  return Weighted(scores, value, dropout).transpose(1, 2).contiguous();
}

double LowestScore(at::ScalarType dtype) {
  switch (dtype) {
    case at::kHalf:
      return std::numeric_limits<c10::Half>::lowest();
    case at::kBFloat16:
      return std::numeric_limits<c10::BFloat16>::lowest();
    case at::kFloat:
      return std::numeric_limits<float>::lowest();
    default:
      return std::numeric_limits<double>::lowest();
  }
}

at::Tensor Attend(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                  const AttentionOptions& options) {
  const int64_t tokens = query.size(1), heads = options.heads;
  const int64_t key_heads = options.key_heads == 0 ? heads : options.key_heads;
  const int64_t times = heads / key_heads;
  at::Tensor k = key, v = value;
  if (options.causal && tokens == 1 && options.window > 0 && options.window < k.size(1)) {
    k = k.narrow(1, k.size(1) - options.window, options.window);
    v = v.narrow(1, v.size(1) - options.window, options.window);
  }
  const int64_t keys = k.size(1);
  const bool windowed = options.window > 0 && options.window < keys;
  std::optional<at::Tensor> mask;
  if (options.mask.defined()) mask = options.mask;
  // The operator aligns its own causal mask with the first key. One query that comes last sees all.
  const bool plain = options.in_steps || options.soft_cap > 0 || options.sinks.defined();
  const bool aligned = options.causal && tokens == keys && !windowed && !plain;
  if (options.causal && !aligned && tokens > 1) {
    mask = at::ones({tokens, keys}, query.options().dtype(at::kBool)).tril_(keys - tokens);
    if (windowed) mask->triu_(keys - tokens - options.window + 1);
  }
  k = SplitHeads(k, key_heads);
  v = SplitHeads(v, key_heads);
  // The queries of one token that share a key stand in the place of tokens, so that no key is copied.
  const bool packed = tokens == 1 && times > 1;
  const at::Tensor q =
      packed ? query.view({query.size(0), key_heads, times, -1}) : SplitHeads(query, heads);
  if (!packed) {
    k = Repeated(k, times);
    v = Repeated(v, times);
  }
  const double scale = options.scale.value_or(1 / std::sqrt(static_cast<double>(q.size(3))));
  const at::Tensor attended =
      plain ? AttendPlainly(q, k, v, mask, scale, options)
            : at::scaled_dot_product_attention(q, k, v, mask, options.dropout, aligned, scale);
  // The fused kernels store (N, S, heads, d) already, so this copies for the plain kernel only.
  return packed ? attended.reshape(query.sizes()) : MergeHeads(attended);
}

at::Tensor CausalMask(int64_t queries, int64_t keys, const at::TensorOptions& options,
                      int64_t window) {
  at::Tensor seen = at::ones({queries, keys}, options.dtype(at::kBool)).tril_(keys - queries);
  if (window > 0) seen.triu_(keys - queries - window + 1);
  return at::zeros({queries, keys}, options)
      .masked_fill_(seen.logical_not_(), -std::numeric_limits<double>::infinity());
}

at::Tensor PaddingMask(const at::Tensor& tokens, at::ScalarType dtype, bool causal) {
  const int64_t batch = tokens.size(0);
  const int64_t length = tokens.size(1);
  const at::Tensor mask = at::zeros({batch, 1, 1, length}, tokens.options().dtype(dtype));
  constexpr double kHidden = -std::numeric_limits<double>::infinity();
  mask.masked_fill_(tokens.eq(0).view({batch, 1, 1, length}), kHidden);
  const at::Tensor expanded = mask.expand({batch, 1, length, length});
  if (!causal) return expanded;
  const at::Tensor later = at::ones({length, length}, tokens.options().dtype(at::kBool)).triu_(1);
  return expanded.masked_fill(later, kHidden);
}

}  // namespace assay::models
