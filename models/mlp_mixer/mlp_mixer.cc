// MLP-Mixer as timm builds it (timm/models/mlp_mixer.py): two linear layers mix the tokens of each
// channel, two mix the channels of each token. Tensor names, order and shapes are timm's, so its
// checkpoints fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/mean.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/text/feed_forward.h"
#include "models/layers/vision/patches.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr double kEps = 1e-6;

class Block final : public Layer {
 public:
  Block(Layer& parent, std::string name, int64_t tokens, int64_t features)
      : Layer(parent, std::move(name)),
        norm1_(*this, "norm1", {.features = features, .eps = kEps}),
        tokens_(*this, {"mlp_tokens.fc1", "mlp_tokens.fc2"},
                {.features = tokens, .hidden = features / 2}),
        norm2_(*this, "norm2", {.features = features, .eps = kEps}),
        channels_(*this, {"mlp_channels.fc1", "mlp_channels.fc2"},
                  {.features = features, .hidden = 4 * features}) {}

  // x (N, tokens, features), as the result.
  at::Tensor Forward(const at::Tensor& x) const {
    const at::Tensor mixed =
        x.add(tokens_.Forward(norm1_.Forward(x).transpose(1, 2)).transpose(1, 2));
    return channels_.Forward(norm2_.Forward(mixed)).add(mixed);
  }

 private:
  LayerNorm norm1_;
  FeedForward tokens_;
  LayerNorm norm2_;
  FeedForward channels_;
};

class MlpMixer final : public LayeredModel {
 public:
  MlpMixer(const PatchesOptions& patches, int64_t layers, int64_t num_classes)
      : patches_(*this, "stem.proj", patches),
        blocks_(MakeBlocks(patches, layers)),
        norm_(*this, "norm", {.features = patches.features, .eps = kEps}),
        head_(*this, "head", {.in = patches.features, .out = num_classes}) {}

  // Images (N, 3, resolution, resolution) -> logits (N, num_classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    at::Tensor x = patches_.Forward(inputs[0]);
    for (const std::unique_ptr<Block>& block : blocks_) x = block->Forward(x);
    return {head_.Forward(norm_.Forward(x).mean(1))};
  }

 private:
  std::vector<std::unique_ptr<Block>> MakeBlocks(const PatchesOptions& patches, int64_t layers) {
    std::vector<std::unique_ptr<Block>> blocks;
    for (int64_t i = 0; i < layers; ++i) {
      blocks.push_back(std::make_unique<Block>(*this, absl::StrCat("blocks.", i), patches.count(),
                                               patches.features));
    }
    return blocks;
  }

  Patches patches_;
  std::vector<std::unique_ptr<Block>> blocks_;
  LayerNorm norm_;
  Linear head_;
};

ASSAY_MODEL_IMPLEMENTATION(
    "mlp_mixer", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const absl::StatusOr<PatchesOptions> patches = ReadPatches("mlp_mixer", parameters);
      if (!patches.ok()) return patches.status();
      return std::make_unique<MlpMixer>(*patches, parameters.Integer("layers"),
                                        parameters.Integer("num_classes"));
    });

}  // namespace
}  // namespace assay::models
