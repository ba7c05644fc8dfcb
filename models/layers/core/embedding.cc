#include "models/layers/core/embedding.h"

#include <ATen/ops/embedding.h>
#include <ATen/ops/embedding_bag.h>
#include <c10/util/Exception.h>

#include <tuple>
#include <utility>

namespace assay::models {

Embedding::Embedding(Layer& parent, std::string name, const EmbeddingOptions& options)
    : Layer(parent, std::move(name)), padding_idx_(options.padding_idx) {
  if (options.tied_weight == nullptr) {
    AddLookedUpParameter("weight", {options.rows, options.features}, options.init, weight_);
    return;
  }
  TORCH_CHECK(options.tied_weight->sizes() == at::IntArrayRef({options.rows, options.features}),
              "Embedding: the tied weight is ", options.tied_weight->sizes(), ", not [",
              options.rows, ", ", options.features, "]");
  AddAlias("weight", weight_, *options.tied_weight);
}

at::Tensor Embedding::Forward(const at::Tensor& indices) const {
  return at::embedding(weight_, indices, padding_idx_);
}

at::Tensor Embedding::Bags(const at::Tensor& indices, const at::Tensor& offsets) const {
  return std::get<0>(at::embedding_bag(weight_, indices, offsets));
}

at::Tensor Embedding::Rows(const CachePlace& place, int64_t count) const {
  return PositionRows(weight_, place, count, /*offset=*/0);
}

at::Tensor PositionRows(const at::Tensor& table, const CachePlace& place, int64_t count,
                        int64_t offset) {
  const int64_t rows = table.size(0) - offset, first = place.position;
  TORCH_CHECK(first >= 0 && first + count <= rows, "positions ", first, " to ", first + count - 1,
              " are beyond the ", rows, " that the model has");
  if (place.rows.defined()) return at::embedding(table, place.rows.unsqueeze(1) + offset);
  return table.narrow(0, offset + first, count);
}

}  // namespace assay::models
