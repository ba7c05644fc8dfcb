#ifndef ASSAY_MODELS_LAYERS_CORE_EMBEDDING_H_
#define ASSAY_MODELS_LAYERS_CORE_EMBEDDING_H_

// ---------------------------------------------------------------------------------------------
// models/layers/core/embedding.h: table of rows; names and shapes of torch.nn.Embedding and, for bags of
// indices, torch.nn.EmbeddingBag with mode "sum".
//
// Not for: sparse gradients.
//
// Example:
//
//     Embedding words{*this, "word_embeddings", {.rows = 30522, .features = 768}};
//     at::Tensor x = words.Forward(input_ids);      // int64 (N, S) -> (N, S, 768)
//     at::Tensor p = positions.Rows(0, S);          // (S, 768), a view
//     at::Tensor b = table.Bags(indices, offsets);  // int64 (K), (N) -> (N, 768), sums of rows
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

#include "models/generator.h"
#include "models/init.h"
#include "models/layers/core/layer.h"
#include "models/layers/core/recipes.h"

namespace assay::models {

struct EmbeddingOptions {
  int64_t rows;
  int64_t features;
  Init init = EmbeddingInit();
  int64_t padding_idx = -1;  // the row whose gradient Forward leaves at zero; -1: none
  // Another layer's tensor (rows, features) that is this one's table as well, or null.
  const at::Tensor* tied_weight = nullptr;
};

class Embedding final : public Layer {
 public:
  Embedding(Layer& parent, std::string name, const EmbeddingOptions& options);

  // A new tensor (indices' shape, features).
  at::Tensor Forward(const at::Tensor& indices) const;

  // A new tensor (N, features): row n is the sum of the rows that a bag names, those from offsets[n]
  // to before offsets[n + 1], or to the end; zeros for an empty bag.
  at::Tensor Bags(const at::Tensor& indices, const at::Tensor& offsets) const;

  // The rows of `count` positions, PositionRows().
  at::Tensor Rows(const CachePlace& place, int64_t count) const;

  // The table itself, for a layer that is tied to it.
  const at::Tensor& weight() const { return weight_; }

 private:
  const int64_t padding_idx_;
  at::Tensor weight_;  // (rows, features)
};

// Rows of a table of positions (offset + rows, features), the `offset` first ones not counted: a view
// (count, features), or (N, 1, features) where the rows of a batch differ. Throws c10::Error if there are
// fewer.
at::Tensor PositionRows(const at::Tensor& table, const CachePlace& place, int64_t count,
                        int64_t offset);

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_CORE_EMBEDDING_H_
