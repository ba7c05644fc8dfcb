// Vision transformers as torchvision builds them (torchvision/models/vision_transformer.py). Tensor
// names, order and shapes are torchvision's, so its checkpoints fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/linear.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/attention.h"
#include "models/layers/conv2d.h"
#include "models/layers/feed_forward.h"
#include "models/layers/image_input.h"
#include "models/layers/layer_norm.h"
#include "models/layers/layered_model.h"
#include "models/layers/linear.h"
#include "models/layers/recipes.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr double kEps = 1e-6;
constexpr int64_t kFeedForward = 4;  // its hidden width, in widths of a token

struct VitOptions {
  int64_t patch_size;
  int64_t layers;
  int64_t heads;
  int64_t hidden;  // width of a token
  int64_t resolution;
  int64_t num_classes;

  int64_t tokens() const {
    return (resolution / patch_size) * (resolution / patch_size) + 1;  // and the class token
  }
};

// torch.nn.MultiheadAttention of a sequence with itself: query, key and value from one product.
class SelfAttention final : public Layer {
 public:
  SelfAttention(Layer& parent, std::string name, int64_t features, int64_t heads)
      : Layer(parent, std::move(name)),
        heads_(heads),
        out_(*this, "out_proj", {.in = features, .out = features}) {
    AddParameter("in_proj_weight", {3 * features, features}, WeightInit(features), in_weight_);
    AddParameter("in_proj_bias", {3 * features}, BiasInit(), in_bias_);
  }

  at::Tensor Forward(const at::Tensor& x) const {
    const std::vector<at::Tensor> of = at::linear(x, in_weight_, in_bias_).chunk(3, -1);
    return out_.Forward(Attend(of[0], of[1], of[2], {.heads = heads_}));
  }

 private:
  int64_t heads_;
  at::Tensor in_weight_;  // (3 * features, features): query, key, value
  at::Tensor in_bias_;    // (3 * features)
  Linear out_;
};

class EncoderLayer final : public Layer {
 public:
  EncoderLayer(Layer& parent, std::string name, const VitOptions& options)
      : Layer(parent, std::move(name)),
        norm1_(*this, "ln_1", {.features = options.hidden, .eps = kEps}),
        attention_(*this, "self_attention", options.hidden, options.heads),
        norm2_(*this, "ln_2", {.features = options.hidden, .eps = kEps}),
        feed_forward_(*this, {"mlp.0", "mlp.3"},
                      {.features = options.hidden, .hidden = kFeedForward * options.hidden}) {}

  at::Tensor Forward(const at::Tensor& x) const {
    const at::Tensor attended = attention_.Forward(norm1_.Forward(x)).add(x);
    return feed_forward_.Forward(norm2_.Forward(attended)).add(attended);
  }

 private:
  LayerNorm norm1_;
  SelfAttention attention_;
  LayerNorm norm2_;
  FeedForward feed_forward_;
};

class Encoder final : public Layer {
 public:
  Encoder(Layer& parent, const VitOptions& options)
      : Layer(parent, "encoder"),
        layers_(MakeLayers(options)),
        norm_(*this, "ln", {.features = options.hidden, .eps = kEps}) {
    AddParameter("pos_embedding", {1, options.tokens(), options.hidden}, EmbeddingInit(),
                 positions_);
  }

  at::Tensor Forward(const at::Tensor& tokens) const {
    at::Tensor x = tokens.add(positions_);
    for (const std::unique_ptr<EncoderLayer>& layer : layers_) x = layer->Forward(x);
    return norm_.Forward(x);
  }

 private:
  std::vector<std::unique_ptr<EncoderLayer>> MakeLayers(const VitOptions& options) {
    std::vector<std::unique_ptr<EncoderLayer>> layers;
    for (int64_t i = 0; i < options.layers; ++i) {
      layers.push_back(
          std::make_unique<EncoderLayer>(*this, absl::StrCat("layers.encoder_layer_", i), options));
    }
    return layers;
  }

  std::vector<std::unique_ptr<EncoderLayer>> layers_;
  LayerNorm norm_;
  at::Tensor positions_;  // (1, tokens, hidden)
};

class Vit final : public LayeredModel {
 public:
  explicit Vit(const VitOptions& options)
      : resolution_(options.resolution),
        patches_(*this, "conv_proj",
                 {.in = 3,
                  .out = options.hidden,
                  .kernel = options.patch_size,
                  .stride = options.patch_size,
                  .bias = true}),
        encoder_(*this, options),
        head_(*this, "heads.head", {.in = options.hidden, .out = options.num_classes}) {
    AddParameter("class_token", {1, 1, options.hidden}, EmbeddingInit(), class_token_);
  }

  // Images (N, 3, resolution, resolution) -> logits (N, num_classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], "vit", {.minimum = resolution_, .maximum = resolution_});
    const at::Tensor patches = patches_.Forward(inputs[0]).flatten(2).transpose(1, 2);
    const at::Tensor class_token = class_token_.expand({patches.size(0), -1, -1});
    const at::Tensor x = encoder_.Forward(at::cat({class_token, patches}, 1));
    return {head_.Forward(x.select(1, 0))};
  }

 private:
  int64_t resolution_;
  Conv2d patches_;
  Encoder encoder_;
  Linear head_;
  at::Tensor class_token_;  // (1, 1, hidden)
};

absl::Status Check(const VitOptions& options) {
  if (options.hidden % options.heads != 0) {
    return absl::InvalidArgumentError(absl::StrCat("vit: hidden ", options.hidden,
                                                   " is not a multiple of heads ", options.heads));
  }
  if (options.resolution % options.patch_size != 0) {
    return absl::InvalidArgumentError(absl::StrCat("vit: resolution ", options.resolution,
                                                   " is not a multiple of patch_size ",
                                                   options.patch_size));
  }
  return absl::OkStatus();
}

ASSAY_MODEL_IMPLEMENTATION(
    "vit", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const VitOptions options = {.patch_size = parameters.Integer("patch_size"),
                                  .layers = parameters.Integer("layers"),
                                  .heads = parameters.Integer("heads"),
                                  .hidden = parameters.Integer("hidden"),
                                  .resolution = parameters.Integer("resolution"),
                                  .num_classes = parameters.Integer("num_classes")};
      if (absl::Status status = Check(options); !status.ok()) return status;
      return std::make_unique<Vit>(options);
    });

}  // namespace
}  // namespace assay::models
