#include "models/layers/vision/clip_tower.h"

#include <ATen/ops/concat.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "models/layers/core/recipes.h"

namespace assay::models {

ClipTowerOptions ReadClipTower(const Parameters& parameters, std::string_view tower) {
  const auto named = [&](std::string_view name) {
    return parameters.Integer(absl::StrCat(tower, name));
  };
  return {.hidden = named("_hidden"),
          .layers = named("_layers"),
          .heads = named("_heads"),
          .mlp = named("_mlp")};
}

ClipBlocks::ClipBlocks(Layer& parent, const ClipTowerOptions& options) {
  for (int64_t i = 0; i < options.layers; ++i) {
    blocks_.push_back(
        std::make_unique<FairseqBlock>(parent, absl::StrCat("encoder.layers.", i),
                                       FairseqBlockOptions{.features = options.hidden,
                                                           .heads = options.heads,
                                                           .hidden = options.mlp,
                                                           .activation = options.activation,
                                                           .dropout = 0,
                                                           .causal = options.causal,
                                                           .names = {.norm1 = "layer_norm1",
                                                                     .widen = "mlp.fc1",
                                                                     .narrow = "mlp.fc2",
                                                                     .norm2 = "layer_norm2"}}));
  }
}

at::Tensor ClipBlocks::Forward(at::Tensor x, const at::Tensor& mask, at::Tensor* before) const {
  for (const auto& block : blocks_) {
    if (before != nullptr) *before = x;
    x = block->Forward(x, mask, nullptr);
  }
  return x;
}

ClipImageTower::Tokens::Tokens(Layer& parent, const PatchesOptions& options)
    : Layer(parent, "embeddings"),
      patches_(*this, "patch_embedding", options),
      positions_(*this, "position_embedding",
                 {.rows = options.count() + 1, .features = options.features}) {
  AddParameter("class_embedding", {options.features}, EmbeddingInit(), class_);
}

at::Tensor ClipImageTower::Tokens::Forward(const at::Tensor& image) const {
  const at::Tensor patches = patches_.Forward(image);
  at::Tensor x = at::concat({class_.expand({patches.size(0), 1, -1}), patches}, 1);
  return x.add_(positions_.weight());
}

ClipImageTower::ClipImageTower(Layer& parent, std::string name, const ClipImageOptions& options)
    : Layer(parent, std::move(name)),
      tokens_(*this, options.patches),
      first_norm_(*this, "pre_layrnorm", {.features = options.tower.hidden}),
      blocks_(*this, options.tower),
      last_norm_(*this, "post_layernorm", {.features = options.tower.hidden}) {}

ClipImageTower::States ClipImageTower::Forward(const at::Tensor& image) const {
  at::Tensor before;
  const at::Tensor x = blocks_.Forward(first_norm_.Forward(tokens_.Forward(image)), {}, &before);
  return {last_norm_.Forward(x.select(1, 0)), before.slice(1, 1)};
}

}  // namespace assay::models
