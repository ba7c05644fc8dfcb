#include "models/layers/attention.h"

#include <ATen/ops/ones.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/zeros.h>

#include <limits>
#include <optional>

namespace assay::models {
namespace {

// (N, S, features) -> (N, heads, S, features / heads), a view.
at::Tensor SplitHeads(const at::Tensor& x, int64_t heads) {
  return x.view({x.size(0), x.size(1), heads, x.size(2) / heads}).transpose(1, 2);
}

}  // namespace

at::Tensor Attend(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                  const AttentionOptions& options) {
  const int64_t tokens = query.size(1), keys = key.size(1);
  std::optional<at::Tensor> mask;
  if (options.mask.defined()) mask = options.mask;
  // The operator aligns its own causal mask with the first key. One query that comes last sees all.
  const bool aligned = options.causal && tokens == keys;
  if (options.causal && !aligned && tokens > 1) {
    mask = at::ones({tokens, keys}, query.options().dtype(at::kBool)).tril_(keys - tokens);
  }
  const at::Tensor attended = at::scaled_dot_product_attention(
      SplitHeads(query, options.heads), SplitHeads(key, options.heads),
      SplitHeads(value, options.heads), mask, options.dropout, aligned);
  // The fused kernels store (N, S, heads, d) already, so this copies for the plain kernel only.
  return attended.transpose(1, 2).reshape({query.size(0), query.size(1), query.size(2)});
}

at::Tensor PaddingMask(const at::Tensor& tokens, at::ScalarType dtype) {
  const int64_t batch = tokens.size(0);
  const int64_t length = tokens.size(1);
  const at::Tensor mask = at::zeros({batch, 1, 1, length}, tokens.options().dtype(dtype));
  mask.masked_fill_(tokens.eq(0).view({batch, 1, 1, length}),
                    -std::numeric_limits<double>::infinity());
  return mask.expand({batch, 1, length, length});
}

}  // namespace assay::models
