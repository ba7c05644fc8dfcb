// CLIP as Hugging Face transformers builds it (CLIPModel with "sdpa" attention): an encoder of
// images and one of texts, whose outputs are compared by their angle. Tensor names, order and shapes
// are its state_dict's, so its checkpoints fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/linalg_vector_norm.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/embedding.h"
#include "models/layers/core/layer.h"
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/core/recipes.h"
#include "models/layers/sequence/attention.h"
#include "models/layers/text/fairseq_block.h"
#include "models/layers/vision/patches.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

// transformers' initial value of the logarithm of the scale.
constexpr double kLogitScale = 2.6592;

struct TowerOptions {
  int64_t hidden;
  int64_t layers;
  int64_t heads;
  int64_t mlp;
  Activation activation = Activation::kQuickGelu;
  bool causal = false;  // a token sees those before it alone; else the mask says what it sees
};

// The blocks of a tower: parameters <tower>_hidden, _layers, _heads and _mlp.
class Blocks final {
 public:
  Blocks(Layer& parent, const TowerOptions& options) {
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

  at::Tensor Forward(at::Tensor x, const at::Tensor& mask) const {
    for (const auto& block : blocks_) x = block->Forward(x, mask, nullptr);
    return x;
  }

 private:
  std::vector<std::unique_ptr<FairseqBlock>> blocks_;
};

struct TextOptions {
  TowerOptions tower;
  int64_t vocab_size;
  int64_t positions;
};

// The parts of an encoder of texts, under the names of `parent`.
class TextTower final {
 public:
  TextTower(Layer& parent, const TextOptions& options)
      : words_(parent, "embeddings.token_embedding",
               {.rows = options.vocab_size, .features = options.tower.hidden}),
        positions_(parent, "embeddings.position_embedding",
                   {.rows = options.positions, .features = options.tower.hidden}),
        blocks_(parent, options.tower),
        norm_(parent, "final_layer_norm", {.features = options.tower.hidden}) {}

  // Tokens int64 (K, S), and their mask, likewise, or none where the tower is causal -> (K, S, hidden).
  at::Tensor Forward(const at::Tensor& tokens, const at::Tensor& attention_mask) const {
    at::Tensor x = words_.Forward(tokens);
    x.add_(positions_.Rows(0, tokens.size(1)));
    at::Tensor mask;
    if (attention_mask.defined())
      mask = PaddingMask(attention_mask, x.scalar_type(), /*causal=*/true);
    return norm_.Forward(blocks_.Forward(x, mask));
  }

  // States (K, S, hidden) -> those of the token with the highest id, (K, hidden): a text's end has the
  // highest id of the vocabulary.
  static at::Tensor AtTheEnd(const at::Tensor& states, const at::Tensor& tokens) {
    const at::Tensor end = tokens.argmax(1, /*keepdim=*/true).unsqueeze(2);
    return states.gather(1, end.expand({-1, 1, states.size(2)})).squeeze(1);
  }

 private:
  Embedding words_;
  Embedding positions_;
  Blocks blocks_;
  LayerNorm norm_;
};

class TextModel final : public Layer {
 public:
  TextModel(Layer& parent, const TextOptions& options)
      : Layer(parent, "text_model"), tower_(*this, options) {}

  // Tokens and their mask, int64 (K, S) -> (K, hidden).
  at::Tensor Forward(const at::Tensor& tokens, const at::Tensor& attention_mask) const {
    return TextTower::AtTheEnd(tower_.Forward(tokens, attention_mask), tokens);
  }

 private:
  TextTower tower_;
};

struct ImageOptions {
  TowerOptions tower;
  PatchesOptions patches;
};

class ImageTokens final : public Layer {
 public:
  ImageTokens(Layer& parent, const PatchesOptions& options)
      : Layer(parent, "embeddings"),
        patches_(*this, "patch_embedding", options),
        positions_(*this, "position_embedding",
                   {.rows = options.count() + 1, .features = options.features}) {
    AddParameter("class_embedding", {options.features}, EmbeddingInit(), class_);
  }

  at::Tensor Forward(const at::Tensor& image) const {
    const at::Tensor patches = patches_.Forward(image);
    at::Tensor x = at::concat({class_.expand({patches.size(0), 1, -1}), patches}, 1);
    return x.add_(positions_.weight());
  }

 private:
  Patches patches_;
  Embedding positions_;
  at::Tensor class_;  // (hidden)
};

class ImageTower final : public Layer {
 public:
  ImageTower(Layer& parent, const ImageOptions& options)
      : Layer(parent, "vision_model"),
        tokens_(*this, options.patches),
        first_norm_(*this, "pre_layrnorm", {.features = options.tower.hidden}),
        blocks_(*this, options.tower),
        last_norm_(*this, "post_layernorm", {.features = options.tower.hidden}) {}

  // Images (N, 3, resolution, resolution) -> (N, hidden), of the class token.
  at::Tensor Forward(const at::Tensor& image) const {
    const at::Tensor x = blocks_.Forward(first_norm_.Forward(tokens_.Forward(image)), {});
    return last_norm_.Forward(x.select(1, 0));
  }

 private:
  ImageTokens tokens_;
  LayerNorm first_norm_;
  Blocks blocks_;
  LayerNorm last_norm_;
};

struct ClipOptions {
  TextOptions text;
  ImageOptions image;
  int64_t projection;
};

// The rows of x, each of length 1.
at::Tensor Directions(const at::Tensor& x) {
  return x / at::linalg_vector_norm(x, 2, {-1}, /*keepdim=*/true);
}

class Clip final : public LayeredModel {
 public:
  explicit Clip(const ClipOptions& options)
      : text_(*this, options.text),
        image_(*this, options.image),
        image_projection_(
            *this, "visual_projection",
            {.in = options.image.tower.hidden, .out = options.projection, .bias = false}),
        text_projection_(
            *this, "text_projection",
            {.in = options.text.tower.hidden, .out = options.projection, .bias = false}) {
    AddParameter("logit_scale", {}, ScaleInit(kLogitScale), logit_scale_);
  }

  // Tokens int64 (K, S), images (N, 3, resolution, resolution) and the tokens' mask int64 (K, S) ->
  // how well each image fits each text (N, K), and the images' directions (N, projection).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    const at::Tensor image = Directions(image_projection_.Forward(image_.Forward(inputs[1])));
    const at::Tensor text =
        Directions(text_projection_.Forward(text_.Forward(inputs[0], inputs[2])));
    return {at::matmul(text, image.t()).mul_(logit_scale_.exp()).t(), image};
  }

 private:
  TextModel text_;
  ImageTower image_;
  Linear image_projection_;
  Linear text_projection_;
  at::Tensor logit_scale_;  // a number
};

// The encoder of texts alone, transformers' CLIPTextModel.
class ClipTextEncoder final : public LayeredModel {
 public:
  explicit ClipTextEncoder(const TextOptions& options) : tower_(*this, options) {}

  // Tokens int64 (N, S) -> the states of all tokens (N, S, hidden), and those of each text's end.
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    const at::Tensor states = tower_.Forward(inputs[0], {});
    return {states, TextTower::AtTheEnd(states, inputs[0])};
  }

 private:
  TextTower tower_;
};

TowerOptions Tower(const Parameters& parameters, std::string_view tower) {
  const auto named = [&](std::string_view name) {
    return parameters.Integer(absl::StrCat(tower, name));
  };
  return {.hidden = named("_hidden"),
          .layers = named("_layers"),
          .heads = named("_heads"),
          .mlp = named("_mlp")};
}

ASSAY_MODEL_IMPLEMENTATION(
    "clip_text_encoder",
    [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      absl::Status status =
          CheckMultiple("clip_text_encoder", parameters, "text_hidden", "text_heads");
      if (!status.ok()) return status;
      TextOptions options = {.tower = Tower(parameters, "text"),
                             .vocab_size = parameters.Integer("vocab_size"),
                             .positions = parameters.Integer("max_position_embeddings")};
      options.tower.causal = true;
      if (parameters.Text("activation") == "gelu") options.tower.activation = Activation::kGelu;
      return std::make_unique<ClipTextEncoder>(options);
    });

ASSAY_MODEL_IMPLEMENTATION(
    "clip", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      absl::Status status = CheckMultiple("clip", parameters, "text_hidden", "text_heads");
      status.Update(CheckMultiple("clip", parameters, "image_hidden", "image_heads"));
      status.Update(CheckMultiple("clip", parameters, "resolution", "patch_size"));
      if (!status.ok()) return status;
      const TowerOptions image = Tower(parameters, "image");
      return std::make_unique<Clip>(
          ClipOptions{.text = {.tower = Tower(parameters, "text"),
                               .vocab_size = parameters.Integer("vocab_size"),
                               .positions = parameters.Integer("max_position_embeddings")},
                      .image = {.tower = image,
                                .patches = {.family = "clip",
                                            .resolution = parameters.Integer("resolution"),
                                            .patch_size = parameters.Integer("patch_size"),
                                            .features = image.hidden,
                                            .bias = false}},
                      .projection = parameters.Integer("projection_dim")});
    });

}  // namespace
}  // namespace assay::models
