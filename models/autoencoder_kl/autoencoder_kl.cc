// The autoencoder of Stable Diffusion as diffusers builds it (AutoencoderKL), its two halves apart: the
// encoder makes a latent image of an image, the decoder an image of a latent one. Tensor names and
// shapes are its state_dict's, so its checkpoints fit either half.

#include <ATen/core/Tensor.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/upsample_nearest2d.h>
#include <c10/util/Exception.h>

#include <algorithm>
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
#include "models/layers/core/group_norm.h"
#include "models/layers/core/layer.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/sequence/residual_sum.h"
#include "models/layers/vision/diffusion_blocks.h"
#include "models/layers/vision/image_input.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr double kEps = 1e-6;
// The logarithm of the variance is kept between these.
constexpr double kLowestLogVariance = -30, kHighestLogVariance = 20;

struct AutoencoderOptions {
  std::vector<int64_t> channels;  // of each stage, the last one at the fewest pixels
  int64_t layers;                 // residual blocks of a stage
  int64_t latent_channels;
  int64_t groups;
};

Conv2dOptions Convolution(int64_t in, int64_t out) {
  return {.in = in, .out = out, .kernel = 3, .padding = 1, .bias = true};
}

// Attention of each pixel to all, with one head, added to the image.
class PixelAttention final {
 public:
  PixelAttention(Layer& parent, const std::string& name, int64_t channels, int64_t groups)
      : norm_(parent, name + ".group_norm", {.groups = groups, .channels = channels, .eps = kEps}),
        attention_(parent, name,
                   {.features = channels, .context = channels, .heads = 1, .bias = true}) {}

  at::Tensor Forward(const at::Tensor& image) const {
    const at::Tensor x = norm_.Forward(image).flatten(2).transpose(1, 2);
    const at::Tensor attended = attention_.Forward(x, x).transpose(1, 2);
    return ResidualSum(attended.reshape(image.sizes()), image);
  }

 private:
  GroupNorm norm_;
  ProjectedAttention attention_;
};

class Middle final : public Layer {
 public:
  Middle(Layer& parent, int64_t channels, int64_t groups)
      : Layer(parent, "mid_block"),
        attention_(*this, "attentions.0", channels, groups),
        first_(*this, "resnets.0",
               {.in = channels, .out = channels, .groups = groups, .eps = kEps}),
        second_(*this, "resnets.1",
                {.in = channels, .out = channels, .groups = groups, .eps = kEps}) {}

  at::Tensor Forward(const at::Tensor& x) const {
    return second_.Forward(attention_.Forward(first_.Forward(x, {})), {});
  }

 private:
  PixelAttention attention_;
  ResidualBlock first_;
  ResidualBlock second_;
};

// Residual blocks and a convolution that halves or doubles the image, or none.
class Stage final : public Layer {
 public:
  Stage(Layer& parent, std::string name, int64_t in, int64_t out, int64_t layers, int64_t groups)
      : Layer(parent, std::move(name)) {
    for (int64_t i = 0; i < layers; ++i) {
      blocks_.push_back(std::make_unique<ResidualBlock>(
          *this, absl::StrCat("resnets.", i),
          ResidualBlockOptions{
              .in = i == 0 ? in : out, .out = out, .groups = groups, .eps = kEps}));
    }
  }

  void Resize(const char* name, Conv2dOptions options) {
    resize_ = std::make_unique<Conv2d>(*this, absl::StrCat(name, ".0.conv"), options);
  }

  at::Tensor Forward(at::Tensor x, bool doubles) const {
    for (const auto& block : blocks_) x = block->Forward(x, {});
    if (!resize_) return x;
    if (doubles) return resize_->Forward(at::upsample_nearest2d(x, {2 * x.size(2), 2 * x.size(3)}));
    // A row below and a column at the right.
    return resize_->Forward(at::constant_pad_nd(x, {0, 1, 0, 1}));
  }

 private:
  std::vector<std::unique_ptr<ResidualBlock>> blocks_;
  std::unique_ptr<Conv2d> resize_;  // null: the image keeps its size
};

// Either half: a convolution, stages, the middle (first in the decoder, last in the encoder), a norm
// and a convolution.
class Half final : public Layer {
 public:
  Half(Layer& parent, const AutoencoderOptions& options, bool decodes)
      : Layer(parent, decodes ? "decoder" : "encoder"),
        decodes_(decodes),
        first_(*this, "conv_in",
               decodes ? Convolution(options.latent_channels, options.channels.back())
                       : Convolution(3, options.channels[0])) {
    std::vector<int64_t> channels = options.channels;
    if (decodes) std::reverse(channels.begin(), channels.end());
    for (size_t i = 0; i < channels.size(); ++i) {
      const int64_t out = channels[i];
      stages_.push_back(std::make_unique<Stage>(
          *this, absl::StrCat(decodes ? "up" : "down", "_blocks.", i), channels[i == 0 ? 0 : i - 1],
          out, options.layers, options.groups));
      if (i + 1 == channels.size()) continue;
      Conv2dOptions resize = Convolution(out, out);
      if (!decodes) {
        resize.stride = 2;
        resize.padding = 0;
      }
      stages_.back()->Resize(decodes ? "upsamplers" : "downsamplers", resize);
    }
    middle_ = std::make_unique<Middle>(*this, options.channels.back(), options.groups);
    norm_ = std::make_unique<GroupNorm>(
        *this, "conv_norm_out",
        GroupNormOptions{.groups = options.groups, .channels = channels.back(), .eps = kEps});
    last_ = std::make_unique<Conv2d>(
        *this, "conv_out", Convolution(channels.back(), decodes ? 3 : 2 * options.latent_channels));
  }

  at::Tensor Forward(const at::Tensor& image) const {
    at::Tensor x = first_.Forward(image);
    if (decodes_) x = middle_->Forward(x);
    for (const auto& stage : stages_) x = stage->Forward(x, decodes_);
    if (!decodes_) x = middle_->Forward(x);
    return last_->Forward(Activate(Activation::kSilu, norm_->Forward(x)));
  }

 private:
  bool decodes_;
  Conv2d first_;
  std::vector<std::unique_ptr<Stage>> stages_;
  std::unique_ptr<Middle> middle_;
  std::unique_ptr<GroupNorm> norm_;
  std::unique_ptr<Conv2d> last_;
};

class Encoder final : public LayeredModel {
 public:
  explicit Encoder(const AutoencoderOptions& options)
      : factor_(int64_t{1} << (options.channels.size() - 1)),
        encoder_(*this, options, /*decodes=*/false),
        of_latent_(*this, "quant_conv",
                   {.in = 2 * options.latent_channels,
                    .out = 2 * options.latent_channels,
                    .kernel = 1,
                    .bias = true}) {}

  // Images (N, 3, H, W) -> the latent image's mean, which is its mode, and the logarithm of its
  // variance, (N, latent_channels, H / factor, W / factor) each.
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], "autoencoder_kl", {.minimum = factor_, .multiple_of = factor_});
    const std::vector<at::Tensor> halves =
        of_latent_.Forward(encoder_.Forward(inputs[0])).chunk(2, 1);
    return {halves[0].contiguous(), halves[1].clamp(kLowestLogVariance, kHighestLogVariance)};
  }

 private:
  int64_t factor_;  // by which sides shrink
  Half encoder_;
  Conv2d of_latent_;
};

class Decoder final : public LayeredModel {
 public:
  explicit Decoder(const AutoencoderOptions& options)
      : latent_channels_(options.latent_channels),
        decoder_(*this, options, /*decodes=*/true),
        of_latent_(*this, "post_quant_conv",
                   {.in = options.latent_channels,
                    .out = options.latent_channels,
                    .kernel = 1,
                    .bias = true}) {}

  // Latent images (N, latent_channels, H, W) -> images (N, 3, factor * H, factor * W).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    const at::Tensor& latent = inputs[0];
    TORCH_CHECK_VALUE(latent.dim() == 4 && latent.size(1) == latent_channels_,
                      "autoencoder_kl: the latent image is ", latent.sizes(), "; want (N, ",
                      latent_channels_, ", height, width)");
    return {decoder_.Forward(of_latent_.Forward(latent))};
  }

 private:
  int64_t latent_channels_;
  Half decoder_;
  Conv2d of_latent_;
};

template <typename Of, bool kDecodes>
absl::StatusOr<std::unique_ptr<Model>> Make(const Parameters& parameters) {
  const AutoencoderOptions options{
      .channels = parameters.Integers("block_out_channels"),
      .layers = parameters.Integer(kDecodes ? "decoder_layers" : "encoder_layers"),
      .latent_channels = parameters.Integer("latent_channels"),
      .groups = parameters.Integer("norm_num_groups")};
  if (options.channels.empty()) {
    return absl::InvalidArgumentError(
        "autoencoder_kl: block_out_channels is empty; want one for each stage");
  }
  for (const int64_t channels : options.channels) {
    if (channels % options.groups == 0) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("autoencoder_kl: block_out_channels has ", channels,
                     "; want a multiple of norm_num_groups, ", options.groups));
  }
  return std::make_unique<Of>(options);
}

ASSAY_MODEL_IMPLEMENTATION("autoencoder_kl_encoder", Make<Encoder, false>);
ASSAY_MODEL_IMPLEMENTATION("autoencoder_kl_decoder", Make<Decoder, true>);

}  // namespace
}  // namespace assay::models
