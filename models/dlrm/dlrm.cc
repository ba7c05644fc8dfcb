// DLRM (arXiv:1906.00091), as dlrm_s_pytorch.py builds it with the interaction "dot": the rows that
// a bag of each table names are summed, the dense numbers go through the bottom MLP, and the top MLP
// gets its output and the dot products of all pairs. Tensor names are those of DLRM_Net.

#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/binary_cross_entropy.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/index.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/tril_indices.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/init.h"
#include "models/layers/core/embedding.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

constexpr int64_t kTables = 8;

struct DlrmOptions {
  int64_t rows;
  int64_t features;
  int64_t most_lookups;
  std::vector<int64_t> bottom;  // widths from the input to the output
  std::vector<int64_t> top;
};

// A sum of that many rows, times another of as many features, has about standard deviation 1: the
// top MLP is then as sensitive to the tables as to the dense numbers.
Init RowInit(const DlrmOptions& options) {
  const double lookups = std::sqrt(static_cast<double>(options.most_lookups));
  const double features = std::sqrt(std::sqrt(static_cast<double>(options.features)));
  return {std::sqrt(3.0) / lookups / features, 0, 1};
}

class Tables final : public Layer {
 public:
  Tables(Layer& parent, std::string name, const DlrmOptions& options)
      : Layer(parent, std::move(name)) {
    for (int64_t t = 0; t < kTables; ++t) {
      tables_.emplace_back(
          *this, absl::StrCat(t),
          EmbeddingOptions{
              .rows = options.rows, .features = options.features, .init = RowInit(options)});
    }
  }

  // The indices and offsets of each table, int64 (K) and (N) -> for each the sums of its bags' rows
  // (N, features), which are appended to `sums`.
  void Append(at::ArrayRef<at::Tensor> indices, at::ArrayRef<at::Tensor> offsets,
              std::vector<at::Tensor>& sums) const {
    for (size_t t = 0; t < tables_.size(); ++t)
      sums.push_back(tables_[t].Bags(indices[t], offsets[t]));
  }

 private:
  std::deque<Embedding> tables_;
};

// torch.nn.Sequential(Linear, activation, Linear, activation, ...).
class Mlp final : public Layer {
 public:
  Mlp(Layer& parent, std::string name, const std::vector<int64_t>& widths)
      : Layer(parent, std::move(name)) {
    for (size_t i = 0; i + 1 < widths.size(); ++i) {
      layers_.emplace_back(*this, absl::StrCat(2 * i),
                           LinearOptions{.in = widths[i], .out = widths[i + 1]});
    }
  }

  // (N, first width) -> (N, last width): before the last activation.
  at::Tensor Forward(at::Tensor x) const {
    for (size_t i = 0; i < layers_.size(); ++i) {
      if (i > 0) x.relu_();
      x = layers_[i].Forward(x);
    }
    return x;
  }

 private:
  std::deque<Linear> layers_;
};

class Dlrm final : public LayeredModel, public Trainable {
 public:
  explicit Dlrm(const DlrmOptions& options)
      : tables_(*this, "emb_l", options),
        bottom_(*this, "bot_l", options.bottom),
        top_(*this, "top_l", options.top) {}

  // dense (N, dense features), offsets of each table (N), indices of each table -> probability (N, 1).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    const at::Tensor dense = bottom_.Forward(inputs[0]).relu_();
    std::vector<at::Tensor> vectors = {dense};
    tables_.Append(inputs.slice(1 + kTables, kTables), inputs.slice(1, kTables), vectors);
    return {at::sigmoid(top_.Forward(at::concat({dense, Products(vectors)}, 1)))};
  }

  // probability (N, 1), clicked (N, 1) of zeros and ones -> their mean cross entropy.
  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets) override {
    return at::binary_cross_entropy(outputs[0], targets[0]);
  }

 private:
  // Vectors of (N, features) -> (N, pairs): the dot product of each with those before it.
  static at::Tensor Products(const std::vector<at::Tensor>& vectors) {
    const auto count = static_cast<int64_t>(vectors.size());
    const at::Tensor all =
        at::concat(vectors, 1).view({vectors[0].size(0), count, vectors[0].size(1)});
    const at::Tensor products = at::bmm(all, all.transpose(1, 2));
    const at::Tensor pairs =
        at::tril_indices(count, count, -1, products.options().dtype(at::kLong));
    return at::index(products, c10::List<std::optional<at::Tensor>>(
                                   {std::nullopt, pairs.select(0, 0), pairs.select(0, 1)}));
  }

  Tables tables_;
  Mlp bottom_;
  Mlp top_;
};

// first, then those between, then last.
std::vector<int64_t> Widths(int64_t first, std::vector<int64_t> between, int64_t last) {
  between.insert(between.begin(), first);
  between.push_back(last);
  return between;
}

ASSAY_MODEL_IMPLEMENTATION(
    "dlrm", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const int64_t features = parameters.Integer("features");
      const int64_t vectors = kTables + 1;
      const int64_t interactions = features + vectors * (vectors - 1) / 2;
      return std::make_unique<Dlrm>(DlrmOptions{
          .rows = parameters.Integer("rows"),
          .features = features,
          .most_lookups = parameters.Integer("most_lookups"),
          .bottom =
              Widths(parameters.Integer("dense_features"), parameters.Integers("bottom"), features),
          .top = Widths(interactions, parameters.Integers("top"), 1)});
    });

}  // namespace
}  // namespace assay::models
