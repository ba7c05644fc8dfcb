// BEiT as timm builds it (timm/models/beit.py): a vision transformer whose attention adds a bias for
// each difference of positions to its scores. Tensor names, order and shapes are timm's, so its
// checkpoints fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/zeros_like.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/core/recipes.h"
#include "models/layers/sequence/attention.h"
#include "models/layers/sequence/relative_position.h"
#include "models/layers/text/feed_forward.h"
#include "models/layers/vision/patches.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr double kEps = 1e-6;
constexpr int64_t kFeedForward = 4;  // its hidden width, in widths of a token

// Rows of a position table beside the differences: the class token to another, another to it, and
// it to itself.
constexpr int64_t kClassRows = 3;

// Factor on the recipe of the position tables. The mean over all patches hardly sees the last block's:
// a change of it by 1 % moves the output by 1.2e-5 of its standard deviation without the factor, with
// it by 3.7e-5.
constexpr double kPositionGain = 3;

struct BeitOptions {
  PatchesOptions patches;
  int64_t layers;
  int64_t heads;
  int64_t num_classes;
};

// int64 (tokens, tokens) for the class token and then the patches of a square image.
at::Tensor PositionIndex(int64_t side) {
  const int64_t differences = RelativePositions(side), tokens = side * side + 1;
  at::Tensor index = at::empty({tokens, tokens}, at::kLong);
  index.select(0, 0).fill_(differences);
  index.select(1, 0).fill_(differences + 1);
  index.select(0, 0).select(0, 0).fill_(differences + 2);
  index.slice(0, 1).slice(1, 1).copy_(RelativePositionIndex(side));
  return index;
}

// Query and value have a bias, the key has none.
class Attention final : public Layer {
 public:
  Attention(Layer& parent, const BeitOptions& options)
      : Layer(parent, "attn"),
        heads_(options.heads),
        projection_(*this, "proj",
                    {.in = options.patches.features, .out = options.patches.features}) {
    const int64_t features = options.patches.features;
    AddParameter("q_bias", {features}, BiasInit(), query_bias_);
    AddParameter("v_bias", {features}, BiasInit(), value_bias_);
    Init positions = EmbeddingInit();
    positions.multiplier *= kPositionGain;
    AddParameter("relative_position_bias_table",
                 {RelativePositions(options.patches.side()) + kClassRows, heads_}, positions,
                 table_);
    AddParameter("qkv.weight", {3 * features, features}, WeightInit(features), weight_);
  }

  at::Tensor Forward(const at::Tensor& x, const at::Tensor& position_index) const {
    const at::Tensor bias = at::concat({query_bias_, at::zeros_like(query_bias_), value_bias_});
    const std::vector<at::Tensor> of = at::linear(x, weight_, bias).chunk(3, -1);
    const at::Tensor positions = RelativePositionBias(table_, position_index);
    return projection_.Forward(Attend(of[0], of[1], of[2], {.heads = heads_, .mask = positions}));
  }

 private:
  int64_t heads_;
  Linear projection_;
  at::Tensor query_bias_;  // (features)
  at::Tensor value_bias_;  // (features)
  at::Tensor table_;       // (differences of positions and kClassRows, heads)
  at::Tensor weight_;      // (3 * features, features): query, key, value
};

class Block final : public Layer {
 public:
  Block(Layer& parent, std::string name, const BeitOptions& options)
      : Layer(parent, std::move(name)),
        norm1_(*this, "norm1", {.features = options.patches.features, .eps = kEps}),
        attention_(*this, options),
        norm2_(*this, "norm2", {.features = options.patches.features, .eps = kEps}),
        feed_forward_(*this, {"mlp.fc1", "mlp.fc2"},
                      {.features = options.patches.features,
                       .hidden = kFeedForward * options.patches.features}) {
    AddParameter("gamma_1", {options.patches.features}, ScaleInit(), scale1_);
    AddParameter("gamma_2", {options.patches.features}, ScaleInit(), scale2_);
  }

  at::Tensor Forward(const at::Tensor& x, const at::Tensor& position_index) const {
    const at::Tensor attended =
        attention_.Forward(norm1_.Forward(x), position_index).mul(scale1_).add(x);
    return feed_forward_.Forward(norm2_.Forward(attended)).mul(scale2_).add(attended);
  }

 private:
  LayerNorm norm1_;
  Attention attention_;
  LayerNorm norm2_;
  FeedForward feed_forward_;
  at::Tensor scale1_;  // (features)
  at::Tensor scale2_;  // (features)
};

class Beit final : public LayeredModel {
 public:
  explicit Beit(const BeitOptions& options)
      : patches_(*this, "patch_embed.proj", options.patches),
        blocks_(MakeBlocks(options)),
        norm_(*this, "fc_norm", {.features = options.patches.features, .eps = kEps}),
        head_(*this, "head", {.in = options.patches.features, .out = options.num_classes}),
        position_index_(PositionIndex(options.patches.side())) {
    AddParameter("cls_token", {1, 1, options.patches.features}, EmbeddingInit(), class_token_);
  }

  // Images (N, 3, resolution, resolution) -> logits (N, num_classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    const at::Tensor patches = patches_.Forward(inputs[0]);
    // It is no part of the state, as it is none of timm's, so nobody else moves it.
    position_index_ = position_index_.to(patches.device());
    at::Tensor x = at::concat({class_token_.expand({patches.size(0), -1, -1}), patches}, 1);
    for (const std::unique_ptr<Block>& block : blocks_) x = block->Forward(x, position_index_);
    return {head_.Forward(norm_.Forward(x.slice(1, 1).mean(1)))};
  }

 private:
  std::vector<std::unique_ptr<Block>> MakeBlocks(const BeitOptions& options) {
    std::vector<std::unique_ptr<Block>> blocks;
    for (int64_t i = 0; i < options.layers; ++i) {
      blocks.push_back(std::make_unique<Block>(*this, absl::StrCat("blocks.", i), options));
    }
    return blocks;
  }

  Patches patches_;
  std::vector<std::unique_ptr<Block>> blocks_;
  LayerNorm norm_;
  Linear head_;
  at::Tensor position_index_;  // int64 (tokens, tokens)
  at::Tensor class_token_;     // (1, 1, features)
};

ASSAY_MODEL_IMPLEMENTATION(
    "beit", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const absl::StatusOr<PatchesOptions> patches = ReadPatches("beit", parameters);
      if (!patches.ok()) return patches.status();
      absl::Status status = CheckMultiple("beit", parameters, "hidden", "heads");
      if (!status.ok()) return status;
      return std::make_unique<Beit>(BeitOptions{.patches = *patches,
                                                .layers = parameters.Integer("layers"),
                                                .heads = parameters.Integer("heads"),
                                                .num_classes = parameters.Integer("num_classes")});
    });

}  // namespace
}  // namespace assay::models
