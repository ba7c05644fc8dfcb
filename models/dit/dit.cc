// DiT (https://arxiv.org/abs/2212.09748) as diffusers builds it (DiTTransformer2DModel): a
// transformer that tells the noise in a latent image, given a time and the image's class. Tensor
// names, order and shapes are its state_dict's, so its checkpoints fit.

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/outer.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/silu.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/conv2d.h"
#include "models/layers/core/embedding.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/vision/diffusion_blocks.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr int64_t kTimeFeatures = 256;
constexpr double kEps = 1e-6;
constexpr double kFeedForwardEps = 1e-5;

struct DitOptions {
  int64_t heads;
  int64_t head_features;
  int64_t in;
  int64_t out;
  int64_t layers;
  int64_t side;   // of the latent image, pixels
  int64_t patch;  // side of a square of pixels, which becomes a token
  int64_t classes;

  int64_t features() const { return heads * head_features; }
  int64_t tokens_a_side() const { return side / patch; }
};

// A norm without tensors of its own, and a scale and a shift (N, features) of each image.
at::Tensor Modulated(const at::Tensor& x, double eps, const at::Tensor& scale,
                     const at::Tensor& shift) {
  const at::Tensor normed = at::layer_norm(x, {x.size(-1)}, {}, {}, eps);
  return normed * (scale.unsqueeze(1) + 1) + shift.unsqueeze(1);
}

// The time and the class of each image as features (N, features).
class Condition final : public Layer {
 public:
  Condition(Layer& parent, std::string name, const DitOptions& options)
      : Layer(parent, std::move(name)),
        time_(*this, "timestep_embedder", kTimeFeatures, options.features()),
        // The last row stands for no class. In training, diffusers takes it for images that it draws.
        class_(*this, "class_embedder.embedding_table",
               {.rows = options.classes + 1, .features = options.features()}) {}

  at::Tensor Forward(const at::Tensor& times, const at::Tensor& classes,
                     at::ScalarType dtype) const {
    return time_.Forward(time_features_.Forward(times, dtype)) + class_.Forward(classes);
  }

 private:
  TimeFeatures time_features_{*this, kTimeFeatures, /*shift=*/1};
  TwoLinear time_;
  Embedding class_;
};

// Self-attention and a feed-forward layer. The condition gives scale and shift of the norm in front of
// each, and a factor behind each.
class Block final : public Layer {
 public:
  Block(Layer& parent, std::string name, const DitOptions& options)
      : Layer(parent, std::move(name)),
        condition_(*this, "norm1.emb", options),
        modulation_(*this, "norm1.linear",
                    {.in = options.features(), .out = 6 * options.features()}),
        attention_(*this, "attn1",
                   {.features = options.features(),
                    .context = options.features(),
                    .heads = options.heads,
                    .bias = true}),
        widen_(*this, "ff.net.0.proj", {.in = options.features(), .out = 4 * options.features()}),
        narrow_(*this, "ff.net.2", {.in = 4 * options.features(), .out = options.features()}) {}

  const Condition& condition() const { return condition_; }

  at::Tensor Forward(const at::Tensor& tokens, const at::Tensor& times,
                     const at::Tensor& classes) const {
    const at::Tensor condition = condition_.Forward(times, classes, tokens.scalar_type());
    const std::vector<at::Tensor> parts = modulation_.Forward(at::silu(condition)).chunk(6, 1);
    at::Tensor y = Modulated(tokens, kEps, /*scale=*/parts[1], /*shift=*/parts[0]);
    const at::Tensor x = tokens + parts[2].unsqueeze(1) * attention_.Forward(y, y);
    y = Modulated(x, kFeedForwardEps, /*scale=*/parts[4], /*shift=*/parts[3]);
    y = narrow_.Forward(Activate(Activation::kGeluTanh, widen_.Forward(y)));
    return x + parts[5].unsqueeze(1) * y;
  }

 private:
  Condition condition_;
  Linear modulation_;
  ProjectedAttention attention_;
  Linear widen_;
  Linear narrow_;
};

// Sines, then cosines, of positions (tokens) at frequencies that fall from 1: (tokens, features).
at::Tensor Waves(const at::Tensor& positions, int64_t features) {
  const at::Tensor exponents =
      at::arange(features / 2, at::kDouble).div_(static_cast<double>(features) / 2);
  const at::Tensor angles = at::outer(positions, at::pow(10000, exponents).reciprocal());
  return at::concat({angles.sin(), angles.cos()}, 1);
}

class Dit final : public LayeredModel {
 public:
  explicit Dit(const DitOptions& options)
      : options_(options),
        patches_(*this, "pos_embed.proj",
                 {.in = options.in,
                  .out = options.features(),
                  .kernel = options.patch,
                  .stride = options.patch,
                  .bias = true}) {
    // Columns, then rows. diffusers stores them rounded to float32.
    const int64_t side = options.tokens_a_side();
    const at::Tensor place = at::arange(side, at::kDouble);
    const at::Tensor columns = Waves(place, options.features() / 2).repeat({side, 1});
    const at::Tensor rows = Waves(place, options.features() / 2).repeat_interleave(side, 0);
    AddConstant(at::concat({columns, rows}, 1).to(at::kFloat), positions_);
    for (int64_t i = 0; i < options.layers; ++i) {
      blocks_.push_back(
          std::make_unique<Block>(*this, absl::StrCat("transformer_blocks.", i), options));
    }
    modulation_ = std::make_unique<Linear>(
        *this, "proj_out_1",
        LinearOptions{.in = options.features(), .out = 2 * options.features()});
    pixels_ =
        std::make_unique<Linear>(*this, "proj_out_2",
                                 LinearOptions{.in = options.features(),
                                               .out = options.patch * options.patch * options.out});
  }

  // Latent images (N, in, side, side), int64 times (N) and int64 classes (N) -> (N, out, side, side).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    const at::Tensor& image = inputs[0];
    TORCH_CHECK_VALUE(
        image.dim() == 4 &&
            image.sizes().slice(1) == at::IntArrayRef({options_.in, options_.side, options_.side}),
        "dit: the latent image is ", image.sizes(), "; want (N, ", options_.in, ", ", options_.side,
        ", ", options_.side, ")");
    for (const at::Tensor& numbers : {inputs[1], inputs[2]}) {
      TORCH_CHECK_VALUE(numbers.sizes() == image.sizes().slice(0, 1), "dit: times or classes are ",
                        numbers.sizes(), "; want one for each of ", image.size(0), " images");
    }
    at::Tensor x = patches_.Forward(image).flatten(2).transpose(1, 2) + positions_;
    for (const std::unique_ptr<Block>& block : blocks_) x = block->Forward(x, inputs[1], inputs[2]);
    const at::Tensor condition =
        blocks_[0]->condition().Forward(inputs[1], inputs[2], x.scalar_type());
    const std::vector<at::Tensor> parts = modulation_->Forward(at::silu(condition)).chunk(2, 1);
    x = pixels_->Forward(Modulated(x, kEps, /*scale=*/parts[1], /*shift=*/parts[0]));
    const int64_t side = options_.tokens_a_side(), patch = options_.patch;
    return {x.view({-1, side, side, patch, patch, options_.out})
                .permute({0, 5, 1, 3, 2, 4})
                .reshape({-1, options_.out, options_.side, options_.side})};
  }

 private:
  DitOptions options_;
  Conv2d patches_;
  at::Tensor positions_;  // (tokens, features)
  std::vector<std::unique_ptr<Block>> blocks_;
  std::unique_ptr<Linear> modulation_;
  std::unique_ptr<Linear> pixels_;
};

ASSAY_MODEL_IMPLEMENTATION(
    "dit", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const DitOptions options = {.heads = parameters.Integer("num_attention_heads"),
                                  .head_features = parameters.Integer("attention_head_dim"),
                                  .in = parameters.Integer("in_channels"),
                                  .out = parameters.Integer("out_channels"),
                                  .layers = parameters.Integer("num_layers"),
                                  .side = parameters.Integer("sample_size"),
                                  .patch = parameters.Integer("patch_size"),
                                  .classes = parameters.Integer("num_embeds_ada_norm")};
      const absl::Status status = CheckMultiple("dit", parameters, "sample_size", "patch_size");
      if (!status.ok()) return status;
      if (options.features() % 4 != 0) {
        return absl::InvalidArgumentError(absl::StrCat(
            "dit: ", options.heads, " heads of ", options.head_features,
            " features are no multiple of 4, as sines and cosines of two places want"));
      }
      return std::make_unique<Dit>(options);
    });

}  // namespace
}  // namespace assay::models
