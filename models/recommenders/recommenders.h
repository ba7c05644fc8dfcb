#ifndef ASSAY_MODELS_RECOMMENDERS_RECOMMENDERS_H_
#define ASSAY_MODELS_RECOMMENDERS_RECOMMENDERS_H_

// ---------------------------------------------------------------------------------------------
// models/recommenders/recommenders.h: the MLPs of networks that recommend.
//
// They are parts of the layer that they are given, which has their tensors under names that begin
// with `prefix`.
//
// Not for: an MLP that is a layer itself.
//
// Example:
//
//     ReluMlp mlp{*this, "dense_arch.model._mlp.", "._linear", {13, 512, 128}};
// ---------------------------------------------------------------------------------------------

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/sigmoid.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "models/layers/core/batch_norm2d.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/layer.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/recipes.h"

namespace assay::models {

inline std::vector<int64_t> Widths(int64_t first, std::vector<int64_t> others) {
  others.insert(others.begin(), first);
  return others;
}

// Linear layers "<prefix>0<suffix>", ..., with a ReLU behind each.
class ReluMlp {
 public:
  ReluMlp(Layer& parent, std::string_view prefix, std::string_view suffix,
          const std::vector<int64_t>& widths) {
    for (size_t i = 0; i + 1 < widths.size(); ++i) {
      layers_.emplace_back(parent, absl::StrCat(prefix, i, suffix),
                           LinearOptions{.in = widths[i], .out = widths[i + 1]});
    }
  }

  at::Tensor Forward(at::Tensor x) const {
    for (const Linear& layer : layers_) x = at::relu(layer.Forward(x));
    return x;
  }

 private:
  std::deque<Linear> layers_;
};

// x where it is large, alpha x where it is small, among the values of the batch.
class Dice final : public Layer {
 public:
  Dice(Layer& parent, std::string name, int64_t features)
      : Layer(parent, std::move(name)), bn_(*this, "bn", {.channels = features, .eps = 1e-8}) {
    AddParameter("alpha", {features}, BiasInit(), alpha_);
  }

  at::Tensor Forward(const at::Tensor& x) {
    const at::Tensor large = at::sigmoid(bn_.Forward(x));
    return x * (large + alpha_ * (1 - large));
  }

 private:
  BatchNorm2d bn_;
  at::Tensor alpha_;  // (features)
};

struct NormedMlpOptions {
  std::vector<int64_t> widths;  // up to the last layer, which has one feature
  bool dice = false;            // in the place of ReLU
  double dropout = 0;
};

// torch_rechub's MLP: "<prefix>0", a linear layer, "<prefix>1", a norm, an activation, dropout, ...
class NormedMlp {
 public:
  NormedMlp(Layer& parent, std::string_view prefix, const NormedMlpOptions& options) {
    const std::vector<int64_t>& widths = options.widths;
    for (size_t i = 0; i + 1 < widths.size(); ++i) {
      linears_.emplace_back(parent, absl::StrCat(prefix, 4 * i),
                            LinearOptions{.in = widths[i], .out = widths[i + 1]});
      norms_.emplace_back(parent, absl::StrCat(prefix, 4 * i + 1),
                          BatchNorm2dOptions{.channels = widths[i + 1]});
      if (options.dice) dices_.emplace_back(parent, absl::StrCat(prefix, 4 * i + 2), widths[i + 1]);
      dropouts_.emplace_back(parent, options.dropout);
    }
    linears_.emplace_back(parent, absl::StrCat(prefix, 4 * (widths.size() - 1)),
                          LinearOptions{.in = widths.back(), .out = 1});
  }

  // (N, first width) -> (N, 1).
  at::Tensor Forward(at::Tensor x) {
    for (size_t i = 0; i < norms_.size(); ++i) {
      x = norms_[i].Forward(linears_[i].Forward(x));
      x = dropouts_[i].Forward(dices_.empty() ? at::relu(x) : dices_[i].Forward(x));
    }
    return linears_.back().Forward(x);
  }

 private:
  std::deque<Linear> linears_;
  std::deque<BatchNorm2d> norms_;
  std::deque<Dice> dices_;
  std::deque<Dropout> dropouts_;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_RECOMMENDERS_RECOMMENDERS_H_
