#include "models/layers/embedding.h"

#include <ATen/ops/embedding.h>

#include <utility>

#include "models/layers/recipes.h"

namespace assay::models {

Embedding::Embedding(Layer& parent, std::string name, const EmbeddingOptions& options)
    : Layer(parent, std::move(name)) {
  AddLookedUpParameter("weight", {options.rows, options.features}, EmbeddingInit(), weight_);
}

at::Tensor Embedding::Forward(const at::Tensor& indices) const {
  return at::embedding(weight_, indices);
}

at::Tensor Embedding::Rows(int64_t first, int64_t count) const {
  return weight_.narrow(0, first, count);
}

}  // namespace assay::models
