// Networks that recommend: neural collaborative filtering (NeuMF, arXiv:1708.05031) with the names of
// MLPerf's code, Wide & Deep (1606.07792) with those of torch_rechub, the Deep Interest Network
// (1706.06978) with those of torch_rechub and deepctr_torch's Dice, DLRM with a cross network of low
// rank (2008.13535) with those of torchrec, and the autoencoder of NVIDIA's DeepRecommender (1708.01715).

#include "models/recommenders/recommenders.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Reduction.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/binary_cross_entropy.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/mse_loss.h>
#include <ATen/ops/selu.h>
#include <ATen/ops/sigmoid.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/embedding.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/core/recipes.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

// A model whose output is a probability (N, 1); its target is (N, 1), zeros and ones.
class Recommender : public LayeredModel, public Trainable {
 public:
  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets) override {
    return at::binary_cross_entropy(outputs[0], targets[0]);
  }
};

class NeuMf final : public Recommender {
 public:
  explicit NeuMf(const Parameters& p)
      : mf_user_(*this, "mf_user_embed", {p.Integer("users"), p.Integer("mf_dim")}),
        mf_item_(*this, "mf_item_embed", {p.Integer("items"), p.Integer("mf_dim")}),
        mlp_user_(*this, "mlp_user_embed", {p.Integer("users"), p.Integers("mlp")[0] / 2}),
        mlp_item_(*this, "mlp_item_embed", {p.Integer("items"), p.Integers("mlp")[0] / 2}),
        mlp_(*this, "mlp.", "", p.Integers("mlp")),
        final_(*this, "final", {.in = p.Integer("mf_dim") + p.Integers("mlp").back(), .out = 1}) {}

  // Users and items, int64 (N).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    const at::Tensor products = mf_user_.Forward(inputs[0]) * mf_item_.Forward(inputs[1]);
    const at::Tensor both =
        at::concat({mlp_user_.Forward(inputs[0]), mlp_item_.Forward(inputs[1])}, 1);
    return {at::sigmoid(final_.Forward(at::concat({products, mlp_.Forward(both)}, 1)))};
  }

 private:
  Embedding mf_user_, mf_item_, mlp_user_, mlp_item_;
  ReluMlp mlp_;
  Linear final_;
};

class WideDeep final : public Recommender {
 public:
  explicit WideDeep(const Parameters& p)
      : linear_(*this, "linear.fc", {.in = p.Integer("wide_features"), .out = 1}) {
    const int64_t tables = p.Integer("tables"), features = p.Integer("features");
    for (int64_t t = 0; t < tables; ++t) {
      tables_.emplace_back(*this, absl::StrCat("embedding.embed_dict.c", t, ""),
                           EmbeddingOptions{.rows = p.Integer("rows"), .features = features});
    }
    mlp_.emplace(*this, "mlp.mlp.",
                 NormedMlpOptions{.widths = Widths(tables * features, p.Integers("mlp")),
                                  .dropout = p.Real("dropout")});
  }

  // Numbers (N, wide features), a row of each table int64 (N, tables).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    std::vector<at::Tensor> rows;
    for (size_t t = 0; t < tables_.size(); ++t)
      rows.push_back(tables_[t].Forward(inputs[1].select(1, static_cast<int64_t>(t))));
    return {at::sigmoid(linear_.Forward(inputs[0]) + mlp_->Forward(at::concat(rows, 1)))};
  }

 private:
  Linear linear_;
  std::deque<Embedding> tables_;
  std::optional<NormedMlp> mlp_;
};

class Din final : public Recommender {
 public:
  explicit Din(const Parameters& p)
      : items_(*this, "embedding.embed_dict.item", {p.Integer("items"), p.Integer("features")}),
        categories_(*this, "embedding.embed_dict.category",
                    {p.Integer("categories"), p.Integer("features")}),
        attention_(
            *this, "attention_layers.0.attention.mlp.",
            {.widths = Widths(8 * p.Integer("features"), p.Integers("attention")), .dice = true}),
        mlp_(*this, "mlp.mlp.",
             {.widths = Widths(4 * p.Integer("features"), p.Integers("mlp")), .dice = true}) {}

  // The item and its category, int64 (N), those of the history (N, length), which of them are there
  // (N, length).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    const at::Tensor target = Embedded(inputs[0], inputs[1]).unsqueeze(1);
    const at::Tensor history = Embedded(inputs[2], inputs[3]);
    const at::Tensor pairs =
        at::concat({target.expand_as(history), history, target - history, target * history}, -1);
    const at::Tensor weights =
        attention_.Forward(pairs.flatten(0, 1)).view({history.size(0), -1, 1});
    const at::Tensor interest = (weights * inputs[4].unsqueeze(-1) * history).sum(1);
    return {at::sigmoid(mlp_.Forward(at::concat({interest, target.squeeze(1)}, 1)))};
  }

 private:
  at::Tensor Embedded(const at::Tensor& items, const at::Tensor& categories) const {
    return at::concat({items_.Forward(items), categories_.Forward(categories)}, -1);
  }

  Embedding items_, categories_;
  NormedMlp attention_, mlp_;
};

// x becomes x0 * (W V x + bias) + x in each layer.
class LowRankCrossNet final : public Layer {
 public:
  LowRankCrossNet(Layer& parent, std::string name, int64_t features, int64_t layers, int64_t rank)
      : Layer(parent, std::move(name)), w_(layers), v_(layers), biases_(layers) {
    for (size_t i = 0; i < w_.size(); ++i)
      AddParameter(absl::StrCat("W_kernels.", i), {features, rank}, WeightInit(rank), w_[i]);
    for (size_t i = 0; i < v_.size(); ++i)
      AddParameter(absl::StrCat("V_kernels.", i), {rank, features}, WeightInit(features), v_[i]);
    for (size_t i = 0; i < biases_.size(); ++i)
      AddParameter(absl::StrCat("bias.", i), {features, 1}, BiasInit(), biases_[i]);
  }

  at::Tensor Forward(const at::Tensor& first) const {
    at::Tensor x = first;
    for (size_t i = 0; i < w_.size(); ++i) {
      const at::Tensor mixed = at::linear(at::linear(x, v_[i]), w_[i], biases_[i].squeeze(1));
      x = first * mixed + x;
    }
    return x;
  }

 private:
  std::vector<at::Tensor> w_;       // each (features, rank)
  std::vector<at::Tensor> v_;       // each (rank, features)
  std::vector<at::Tensor> biases_;  // each (features, 1)
};

class DlrmV2 final : public Recommender {
 public:
  explicit DlrmV2(const Parameters& p) {
    const int64_t tables = p.Integer("tables"), features = p.Integer("features");
    // A sum of so many rows has about standard deviation 1.
    const double lookups = static_cast<double>(p.Integer("lookups"));
    const Init init = {std::sqrt(3.0) / std::sqrt(lookups), 0, 1};
    for (int64_t t = 0; t < tables; ++t) {
      tables_.emplace_back(
          *this, absl::StrCat("sparse_arch.embedding_bag_collection.embedding_bags.t_cat_", t),
          EmbeddingOptions{.rows = p.Integer("rows"), .features = features, .init = init});
    }
    std::vector<int64_t> bottom = Widths(p.Integer("dense_features"), p.Integers("bottom"));
    bottom.push_back(features);
    dense_.emplace(*this, "dense_arch.model._mlp.", "._linear", bottom);
    const int64_t width = (tables + 1) * features;
    cross_.emplace(*this, "inter_arch.crossnet", width, p.Integer("layers"), p.Integer("low_rank"));
    over_.emplace(*this, "over_arch.model.0._mlp.", "._linear", Widths(width, p.Integers("top")));
    last_.emplace(*this, "over_arch.model.1",
                  LinearOptions{.in = p.Integers("top").back(), .out = 1});
  }

  // Numbers (N, dense features), rows of each table int64 (N, tables, lookups).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    std::vector<at::Tensor> vectors = {dense_->Forward(inputs[0])};
    const int64_t lookups = inputs[1].size(2);
    const at::Tensor offsets =
        at::arange(0, inputs[1].size(0) * lookups, lookups, inputs[1].options());
    for (size_t t = 0; t < tables_.size(); ++t) {
      const at::Tensor rows = inputs[1].select(1, static_cast<int64_t>(t)).flatten();
      vectors.push_back(tables_[t].Bags(rows, offsets));
    }
    const at::Tensor crossed = cross_->Forward(at::concat(vectors, 1));
    return {at::sigmoid(last_->Forward(over_->Forward(crossed)))};
  }

 private:
  std::deque<Embedding> tables_;
  std::optional<ReluMlp> dense_;
  std::optional<LowRankCrossNet> cross_;
  std::optional<ReluMlp> over_;
  std::optional<Linear> last_;
};

class DeepRecommender final : public LayeredModel, public Trainable {
 public:
  explicit DeepRecommender(const Parameters& p) : dropout_(*this, p.Real("dropout")) {
    std::vector<int64_t> widths = Widths(p.Integer("items"), p.Integers("hidden"));
    for (const std::string part : {"encode", "decode"}) {
      std::vector<at::Tensor>& weights = part == "encode" ? encode_w_ : decode_w_;
      std::vector<at::Tensor>& biases = part == "encode" ? encode_b_ : decode_b_;
      weights.resize(widths.size() - 1);
      biases.resize(widths.size() - 1);
      for (size_t i = 0; i < weights.size(); ++i) {
        AddParameter(absl::StrCat(part, "_w.", i), {widths[i + 1], widths[i]},
                     WeightInit(widths[i]), weights[i]);
      }
      for (size_t i = 0; i < biases.size(); ++i)
        AddParameter(absl::StrCat(part, "_b.", i), {widths[i + 1]}, BiasInit(), biases[i]);
      std::reverse(widths.begin(), widths.end());
    }
  }

  // Ratings of items (N, items) -> the ratings that it expects.
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    const at::Tensor code = dropout_.Forward(Through(inputs[0], encode_w_, encode_b_));
    return {Through(code, decode_w_, decode_b_)};
  }

  // The mean squared error of the items that have a rating, which are those that are not zero.
  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets) override {
    const at::Tensor rated = targets[0].ne(0);
    return at::mse_loss(outputs[0] * rated, targets[0], at::Reduction::Sum) / rated.sum();
  }

 private:
  static at::Tensor Through(at::Tensor x, const std::vector<at::Tensor>& weights,
                            const std::vector<at::Tensor>& biases) {
    for (size_t i = 0; i < weights.size(); ++i) x = at::selu(at::linear(x, weights[i], biases[i]));
    return x;
  }

  Dropout dropout_;
  std::vector<at::Tensor> encode_w_, encode_b_, decode_w_, decode_b_;
};

// `lists` are the parameters that name the widths of layers.
template <typename Network>
absl::StatusOr<std::unique_ptr<Model>> Make(std::string_view name, const Parameters& parameters,
                                            std::initializer_list<std::string_view> lists) {
  for (const std::string_view list : lists) {
    if (absl::Status filled = CheckFilled(name, parameters, list); !filled.ok()) return filled;
  }
  return std::make_unique<Network>(parameters);
}

ASSAY_MODEL_IMPLEMENTATION("neumf", [](const Parameters& p) {
  auto model = Make<NeuMf>("neumf", p, {"mlp"});
  // Half of the first layer's inputs are of the user.
  if (model.ok()) {
    const absl::Status even = CheckEven("neumf", "mlp[0]", p.Integers("mlp")[0]);
    if (!even.ok()) model = even;
  }
  return model;
});
ASSAY_MODEL_IMPLEMENTATION("wide_deep", [](const Parameters& p) {
  return Make<WideDeep>("wide_deep", p, {"mlp"});
});
ASSAY_MODEL_IMPLEMENTATION("din", [](const Parameters& p) {
  return Make<Din>("din", p, {"attention", "mlp"});
});
ASSAY_MODEL_IMPLEMENTATION("dlrm_v2",
                           [](const Parameters& p) { return Make<DlrmV2>("dlrm_v2", p, {"top"}); });
ASSAY_MODEL_IMPLEMENTATION("deep_recommender", [](const Parameters& p) {
  return Make<DeepRecommender>("deep_recommender", p, {"hidden"});
});

}  // namespace
}  // namespace assay::models
