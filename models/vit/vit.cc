// Vision transformers as torchvision builds them (torchvision/models/vision_transformer.py). Tensor
// names, order and shapes are torchvision's, so its checkpoints fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/concat.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/core/recipes.h"
#include "models/layers/text/encoder_block.h"
#include "models/layers/vision/patches.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr double kEps = 1e-6;

struct VitOptions {
  PatchesOptions patches;
  int64_t layers;
  int64_t heads;
  int64_t num_classes;

  int64_t tokens() const { return patches.count() + 1; }  // and the class token
};

constexpr EncoderBlockNames kBlockNames = {.norm1 = "ln_1",
                                           .attention = "self_attention",
                                           .in_weight = "in_proj_weight",
                                           .in_bias = "in_proj_bias",
                                           .out = "out_proj",
                                           .norm2 = "ln_2",
                                           .widen = "mlp.0",
                                           .narrow = "mlp.3"};

class Encoder final : public Layer {
 public:
  Encoder(Layer& parent, const VitOptions& options)
      : Layer(parent, "encoder"),
        layers_(*this, "layers.encoder_layer_", options.layers, kBlockNames,
                {.features = options.patches.features, .heads = options.heads}),
        norm_(*this, "ln", {.features = options.patches.features, .eps = kEps}) {
    AddParameter("pos_embedding", {1, options.tokens(), options.patches.features}, EmbeddingInit(),
                 positions_);
  }

  at::Tensor Forward(const at::Tensor& tokens) const {
    return norm_.Forward(layers_.Forward(tokens.add(positions_)));
  }

 private:
  EncoderBlocks layers_;
  LayerNorm norm_;
  at::Tensor positions_;  // (1, tokens, hidden)
};

class Vit final : public LayeredModel {
 public:
  explicit Vit(const VitOptions& options)
      : patches_(*this, "conv_proj", options.patches),
        encoder_(*this, options),
        head_(*this, "heads.head", {.in = options.patches.features, .out = options.num_classes}) {
    AddParameter("class_token", {1, 1, options.patches.features}, EmbeddingInit(), class_token_);
  }

  // Images (N, 3, resolution, resolution) -> logits (N, num_classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    const at::Tensor patches = patches_.Forward(inputs[0]);
    const at::Tensor class_token = class_token_.expand({patches.size(0), -1, -1});
    const at::Tensor x = encoder_.Forward(at::concat({class_token, patches}, 1));
    return {head_.Forward(x.select(1, 0))};
  }

 private:
  Patches patches_;
  Encoder encoder_;
  Linear head_;
  at::Tensor class_token_;  // (1, 1, hidden)
};

ASSAY_MODEL_IMPLEMENTATION(
    "vit", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const absl::StatusOr<PatchesOptions> patches = ReadPatches("vit", parameters);
      if (!patches.ok()) return patches.status();
      absl::Status status = CheckMultiple("vit", parameters, "hidden", "heads");
      if (!status.ok()) return status;
      return std::make_unique<Vit>(VitOptions{.patches = *patches,
                                              .layers = parameters.Integer("layers"),
                                              .heads = parameters.Integer("heads"),
                                              .num_classes = parameters.Integer("num_classes")});
    });

}  // namespace
}  // namespace assay::models
