// SAM ("Segment Anything") as transformers builds it (models/sam/modeling_sam.py, SamModel): an encoder of
// images, one of prompts, and a decoder in which the prompts' tokens and the image attend to each other.
// Tensor names, order and shapes are those of its state_dict, so its checkpoints fit.

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/einsum.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/conv2d.h"
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/core/recipes.h"
#include "models/layers/sequence/attention.h"
#include "models/layers/text/feed_forward.h"
#include "models/layers/vision/patches.h"
#include "models/layers/vision/windows.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/sam/mask_decoder.h"

namespace assay::models {
namespace {

struct SamOptions {
  PatchesOptions patches;
  int64_t layers, heads, window;
  std::vector<int64_t> global_layers;  // those whose attention has no windows
  int64_t mask_channels;
  SamDecoderOptions decoder;
};

// Attention in windows, or in the whole image, and a feed-forward layer, a norm in front of each. A score
// has two more terms, for the key's row and for its column: products of the query with rows of two tables,
// which the distances choose.
class EncoderLayer final : public Layer {
 public:
  EncoderLayer(Layer& parent, std::string name, int64_t features, int64_t heads, int64_t side)
      : Layer(parent, std::move(name)), features_(features), heads_(heads), side_(side) {
    const at::Tensor place = at::arange(side, at::kLong);
    AddConstant((place.unsqueeze(1) - place + (side - 1)).flatten(), distances_);
  }

  // x (N, 1, side of the image, likewise, features), as the result.
  at::Tensor Forward(const at::Tensor& x) const {
    const WindowSizes window = {1, side_, side_};
    const at::Tensor padded = PaddedToMultiples(norm1_.Forward(x), window);
    const at::Tensor y = WithoutWindows(Attended(Windows(padded, window)), window, padded);
    const int64_t side = x.size(2);
    const at::Tensor z = x + y.narrow(2, 0, side).narrow(3, 0, side);
    return z + feed_forward_.Forward(norm2_.Forward(z));
  }

 private:
  // x (N, side * side, features), as the result.
  at::Tensor Attended(const at::Tensor& x) const {
    const std::vector<at::Tensor> of = qkv_.Forward(x).chunk(3, -1);
    const at::Tensor query = SplitHeads(of[0], heads_).unflatten(2, {side_, side_});
    const at::Tensor to_rows = at::einsum("nhrcd,rkd->nhrck", {query, Chosen(rows_)});
    const at::Tensor to_columns = at::einsum("nhrcd,ckd->nhrck", {query, Chosen(columns_)});
    // Contiguous, so that their sum is, which is `side` times as large.
    const at::Tensor terms =
        (to_rows.contiguous().unsqueeze(5) + to_columns.contiguous().unsqueeze(4)).flatten(4);
    return projection_.Forward(
        Attend(of[0], of[1], of[2], {.heads = heads_, .mask = terms.flatten(2, 3)}));
  }

  // With this recipe a term is about as large as a score.
  SamTable Distances(const char* name) {
    const int64_t head = features_ / heads_;
    return SamTable(*this, "attn", name, {2 * side_ - 1, head}, WeightInit(head));
  }

  // (side of a query, side of a key, features of a head)
  at::Tensor Chosen(const SamTable& table) const {
    return table.rows.index_select(0, distances_).view({side_, side_, -1});
  }

  int64_t features_, heads_, side_;  // tokens a side of a window
  at::Tensor distances_;             // (side * side), from 0
  LayerNorm norm1_{*this, "layer_norm1", SamNorm(features_)};
  SamTable rows_ = Distances("rel_pos_h"), columns_ = Distances("rel_pos_w");
  Linear qkv_{*this, "attn.qkv", {.in = features_, .out = 3 * features_}};
  Linear projection_{*this, "attn.proj", {.in = features_, .out = features_}};
  LayerNorm norm2_{*this, "layer_norm2", SamNorm(features_)};
  FeedForward feed_forward_{
      *this, {"mlp.lin1", "mlp.lin2"}, {.features = features_, .hidden = 4 * features_}};
};

class ImageEncoder final : public Layer {
 public:
  ImageEncoder(Layer& parent, const SamOptions& options)
      : Layer(parent, "vision_encoder"), o_(options) {
    AddParameter("pos_embed", {1, o_.patches.side(), o_.patches.side(), o_.patches.features},
                 EmbeddingInit(), positions_);
  }

  // Images (N, 3, resolution, resolution) -> (N, channels, side, side).
  at::Tensor Forward(const at::Tensor& image) const {
    // A convolution's channels come first in memory, and each norm would copy.
    at::Tensor x = patches_.Forward(image).contiguous().unflatten(1, {1, o_.patches.side(), -1});
    x = x + positions_;
    for (const auto& layer : layers_) x = layer->Forward(x);
    x = norm1_.ForwardOverChannels(conv1_.Forward(x.squeeze(1).permute({0, 3, 1, 2}).contiguous()));
    return norm2_.ForwardOverChannels(conv2_.Forward(x));
  }

 private:
  std::vector<std::unique_ptr<EncoderLayer>> MakeLayers() {
    std::vector<std::unique_ptr<EncoderLayer>> layers;
    for (int64_t i = 0; i < o_.layers; ++i) {
      const bool global = std::ranges::count(o_.global_layers, i) > 0;
      layers.push_back(std::make_unique<EncoderLayer>(*this, absl::StrCat("layers.", i),
                                                      o_.patches.features, o_.heads,
                                                      global ? o_.patches.side() : o_.window));
    }
    return layers;
  }

  const SamOptions o_;
  const int64_t channels_ = o_.decoder.channels;
  at::Tensor positions_;  // (1, side, side, features)
  Patches patches_{*this, "patch_embed.projection", o_.patches};
  std::vector<std::unique_ptr<EncoderLayer>> layers_ = MakeLayers();
  Conv2d conv1_{*this, "neck.conv1", {.in = o_.patches.features, .out = channels_, .kernel = 1}};
  LayerNorm norm1_{*this, "neck.layer_norm1", SamNorm(channels_)};
  Conv2d conv2_{
      *this, "neck.conv2", {.in = channels_, .out = channels_, .kernel = 3, .padding = 1}};
  LayerNorm norm2_{*this, "neck.layer_norm2", SamNorm(channels_)};
};

class Sam final : public LayeredModel {
 public:
  // `encodes`: prompts are of points and the first input is the image. Otherwise it is what the encoder gives,
  // and prompts have a box and an earlier mask as well.
  Sam(const SamOptions& options, bool encodes) : o_(options), encodes_(encodes) {}

  // Images (N, 3, resolution, resolution), or features (N, channels, side, side); points int64 (N, P, K, 2) in
  // pixels and labels int64 (N, P, K); boxes int64 (N, P, 4) and scores of masks (N, 1, 4 side, 4 side) ->
  // scores of masks (N, P, 3, 4 side, 4 side), and how well each should fit (N, P, 3).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    Check(inputs);
    const at::Tensor features = encodes_ ? encoder_->Forward(inputs[0]) : inputs[0];
    const at::Tensor dense = encodes_ ? no_mask_.rows : OfMasks(inputs[4]);
    const at::Tensor image = features.flatten(2).transpose(1, 2) + dense;
    return decoder_.Forward(image, OfPatches(), OfPrompts(inputs));
  }

 private:
  void Check(at::ArrayRef<at::Tensor> inputs) const {
    const at::Tensor& labels = inputs[2];
    const int64_t batch = inputs[0].size(0);
    const auto check = [](const char* what, const at::Tensor& given, at::IntArrayRef want) {
      TORCH_CHECK_VALUE(given.sizes() == want, "sam: ", what, " is ", given.sizes(), "; want ",
                        want);
    };
    TORCH_CHECK_VALUE(labels.dim() == 3, "sam: input_labels is ", labels.sizes(),
                      "; want (N, prompts, points)");
    check("input_labels", labels, {batch, labels.size(1), labels.size(2)});
    check("input_points", inputs[1], {batch, labels.size(1), labels.size(2), 2});
    if (!encodes_) {
      check("image_embeddings", inputs[0], {batch, channels_, side_, side_});
      check("input_boxes", inputs[3], {batch, labels.size(1), 4});
      check("input_masks", inputs[4], {batch, 1, 4 * side_, 4 * side_});
    }
    if (!labels.is_cpu()) return;  // the rest would wait for the device
    const at::Tensor known = labels.eq(-10).logical_or_(labels.abs().le(1));
    TORCH_CHECK_VALUE(known.all().item<bool>(), "sam: input_labels has numbers from ",
                      labels.min().item<int64_t>(), " to ", labels.max().item<int64_t>(),
                      "; want 1 (object), 0 (background), -1 (no point) or -10 (padding)");
  }

  // x and y (..., 2) in a square of `sides` pixels -> sines and cosines along random directions
  // (..., channels). Angles are in float32 at least, since fewer bits would lose their turns.
  at::Tensor OfPlaces(const at::Tensor& pixels, int64_t sides) const {
    const at::ScalarType narrow = directions_.rows.scalar_type();
    const at::ScalarType wide = c10::promoteTypes(at::kFloat, narrow);
    const at::Tensor share = (pixels.to(wide) + 0.5) / static_cast<double>(sides);
    const at::Tensor angle =
        at::matmul(share * 2 - 1, directions_.rows.to(wide)) * (2 * std::numbers::pi);
    return at::concat({angle.sin(), angle.cos()}, -1).to(narrow);
  }

  // Row by row: (side * side, channels).
  at::Tensor OfPatches() const {
    const at::Tensor place = at::arange(side_, directions_.rows.options().dtype(at::kLong));
    const at::Tensor columns = place.expand({side_, side_});
    return OfPlaces(at::stack({columns, columns.t()}, 2).flatten(0, 1), side_);
  }

  // Points, and a box's corners or one more point that is none: (N, P, tokens, channels).
  at::Tensor OfPrompts(at::ArrayRef<at::Tensor> inputs) const {
    const int64_t more = encodes_ ? 1 : 0, resolution = o_.patches.resolution;
    const at::Tensor labels = at::constant_pad_nd(inputs[2], {0, more}, -1);
    const at::Tensor places = OfPlaces(at::constant_pad_nd(inputs[1], {0, 0, 0, more}), resolution);
    const at::Tensor kinds = at::concat(
        {at::zeros_like(no_point_.rows), no_point_.rows, background_.rows, object_.rows});
    const at::Tensor points = places.masked_fill(labels.lt(0).unsqueeze(3), 0) +
                              at::embedding(kinds, labels.clamp_min(-2) + 2);
    if (encodes_) return points;
    const at::Tensor corners = OfPlaces(inputs[3].unflatten(2, {2, 2}), resolution);
    return at::concat({points, corners + at::concat({corner_.rows, opposite_.rows})}, 2);
  }

  // (N, 1, 4 side, 4 side) -> (N, side * side, channels)
  at::Tensor OfMasks(const at::Tensor& masks) const {
    at::Tensor x = norm1_.ForwardOverChannels(conv1_.Forward(masks));
    x = norm2_.ForwardOverChannels(conv2_.Forward(Activate(Activation::kGelu, x)));
    return conv3_.Forward(Activate(Activation::kGelu, x)).flatten(2).transpose(1, 2);
  }

  SamTable Tokens(const char* name) { return SamTable(*this, name, "weight", {1, channels_}); }

  static Conv2dOptions Halving(int64_t in, int64_t out) {
    return {.in = in, .out = out, .kernel = 2, .stride = 2, .bias = true};
  }

  const SamOptions o_;
  const int64_t channels_ = o_.decoder.channels;
  const bool encodes_;
  const int64_t side_ = o_.patches.side();
  SamTable directions_{*this, "shared_image_embedding", "positional_embedding", {2, channels_ / 2}};
  std::unique_ptr<ImageEncoder> encoder_ =
      encodes_ ? std::make_unique<ImageEncoder>(*this, o_) : nullptr;
  SamTable same_directions_{*this, "prompt_encoder.shared_embedding", "positional_embedding",
                            directions_};
  Conv2d conv1_{*this, "prompt_encoder.mask_embed.conv1", Halving(1, o_.mask_channels / 4)};
  Conv2d conv2_{*this, "prompt_encoder.mask_embed.conv2",
                Halving(o_.mask_channels / 4, o_.mask_channels)};
  Conv2d conv3_{*this,
                "prompt_encoder.mask_embed.conv3",
                {.in = o_.mask_channels, .out = channels_, .kernel = 1, .bias = true}};
  LayerNorm norm1_{*this, "prompt_encoder.mask_embed.layer_norm1", SamNorm(o_.mask_channels / 4)};
  LayerNorm norm2_{*this, "prompt_encoder.mask_embed.layer_norm2", SamNorm(o_.mask_channels)};
  SamTable no_mask_ = Tokens("prompt_encoder.no_mask_embed");
  SamTable background_ = Tokens("prompt_encoder.point_embed.0");
  SamTable object_ = Tokens("prompt_encoder.point_embed.1");
  SamTable corner_ = Tokens("prompt_encoder.point_embed.2");
  SamTable opposite_ = Tokens("prompt_encoder.point_embed.3");
  SamTable no_point_ = Tokens("prompt_encoder.not_a_point_embed");
  SamMaskDecoder decoder_{*this, "mask_decoder", o_.decoder};
};

absl::StatusOr<std::unique_ptr<Model>> Make(const Parameters& parameters, bool encodes) {
  const auto of_encoder = [&](const char* name) { return encodes ? parameters.Integer(name) : 0; };
  const int64_t patch = parameters.Integer("patch_size");
  const SamOptions options = {
      .patches = {.family = "sam",
                  .resolution = patch * parameters.Integer("image_embedding_size"),
                  .patch_size = patch,
                  .features = of_encoder("hidden")},
      .layers = of_encoder("layers"),
      .heads = of_encoder("heads"),
      .window = of_encoder("window_size"),
      .global_layers = encodes ? parameters.Integers("global_layers") : std::vector<int64_t>(),
      .mask_channels = parameters.Integer("mask_input_channels"),
      .decoder = {.channels = parameters.Integer("channels"),
                  .heads = parameters.Integer("decoder_heads"),
                  .mlp = parameters.Integer("decoder_mlp"),
                  .side = parameters.Integer("image_embedding_size")}};
  const auto [channels, heads, mlp, side] = options.decoder;
  if (channels % 8 != 0 || channels % (2 * heads) != 0 || options.mask_channels % 4 != 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "sam: channels ", channels, ", decoder_heads ", heads, ", mask_input_channels ",
        options.mask_channels,
        "; channels must be a multiple of 8 and of twice decoder_heads, mask_input_channels of 4"));
  }
  if (encodes) {
    const absl::Status status = CheckMultiple("sam", parameters, "hidden", "heads");
    if (!status.ok()) return status;
  }
  return std::make_unique<Sam>(options, encodes);
}

ASSAY_MODEL_IMPLEMENTATION("sam", [](const Parameters& p) { return Make(p, /*encodes=*/true); });
ASSAY_MODEL_IMPLEMENTATION("sam_mask_decoder",
                           [](const Parameters& p) { return Make(p, /*encodes=*/false); });

}  // namespace
}  // namespace assay::models
