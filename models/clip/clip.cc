// CLIP as Hugging Face transformers builds it (CLIPModel with "sdpa" attention): an encoder of
// images and one of texts, whose outputs are compared by their angle. Tensor names, order and shapes
// are its state_dict's, so its checkpoints fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/linalg_vector_norm.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/embedding.h"
#include "models/layers/core/layer.h"
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/core/recipes.h"
#include "models/layers/sequence/attention.h"
#include "models/layers/vision/clip_tower.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

// transformers' initial value of the logarithm of the scale.
constexpr double kLogitScale = 2.6592;

struct TextOptions {
  ClipTowerOptions tower;
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
  ClipBlocks blocks_;
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

struct ClipOptions {
  TextOptions text;
  ClipImageOptions image;
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
        image_(*this, "vision_model", options.image),
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
    const at::Tensor image =
        Directions(image_projection_.Forward(image_.Forward(inputs[1]).class_token));
    const at::Tensor text =
        Directions(text_projection_.Forward(text_.Forward(inputs[0], inputs[2])));
    return {at::matmul(text, image.t()).mul_(logit_scale_.exp()).t(), image};
  }

 private:
  TextModel text_;
  ClipImageTower image_;
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

ASSAY_MODEL_IMPLEMENTATION(
    "clip_text_encoder",
    [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      absl::Status status =
          CheckMultiple("clip_text_encoder", parameters, "text_hidden", "text_heads");
      if (!status.ok()) return status;
      TextOptions options = {.tower = ReadClipTower(parameters, "text"),
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
      const ClipTowerOptions image = ReadClipTower(parameters, "image");
      return std::make_unique<Clip>(
          ClipOptions{.text = {.tower = ReadClipTower(parameters, "text"),
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
