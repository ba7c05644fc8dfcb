// The UNets of Stable Diffusion 1 and of SDXL as diffusers builds them (UNet2DConditionModel): they
// tell the noise in a latent image, given a time and the features of a text. Tensor names, order and
// shapes are its state_dict's, so its checkpoints fit. And the loop that makes an image with the first.

#include <ATen/core/Tensor.h>
#include <ATen/ops/add.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/lerp.h>
#include <ATen/ops/mse_loss.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/stack.h>
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
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/sequence/residual_sum.h"
#include "models/layers/vision/diffusion_blocks.h"
#include "models/layers/vision/noise_schedule.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

constexpr int64_t kLatentChannels = 4;
constexpr int64_t kTimeIds = 6;  // numbers of a row of SDXL: sizes and a corner of its image

struct UNetOptions {
  std::vector<int64_t> channels;            // of each stage, the last one at the fewest pixels
  std::vector<int64_t> heads;               // of each stage
  std::vector<int64_t> transformer_layers;  // behind each residual block of a stage, or 0
  int64_t layers_per_block;                 // residual blocks of a stage on the way down
  int64_t context;                          // features of a token of the text
  int64_t groups;
  bool linear_projection;     // linear layers around the transformers, not 1x1 convolutions
  int64_t text_features = 0;  // of the whole text, in SDXL
  int64_t id_features = 0;    // of each of its time ids

  int64_t stages() const { return static_cast<int64_t>(channels.size()); }
  int64_t time() const { return 4 * channels[0]; }
};

// Self-attention, attention to the text and a gated feed-forward layer, a norm before each.
class TransformerBlock final : public Layer {
 public:
  TransformerBlock(Layer& parent, std::string name, int64_t features, int64_t heads,
                   int64_t context)
      : Layer(parent, std::move(name)),
        norm1_(*this, "norm1", {.features = features}),
        self_(*this, "attn1", {.features = features, .context = features, .heads = heads}),
        norm2_(*this, "norm2", {.features = features}),
        cross_(*this, "attn2", {.features = features, .context = context, .heads = heads}),
        norm3_(*this, "norm3", {.features = features}),
        widen_(*this, "ff.net.0.proj", {.in = features, .out = 8 * features}),
        narrow_(*this, "ff.net.2", {.in = 4 * features, .out = features}) {}

  at::Tensor Forward(at::Tensor x, const at::Tensor& text) const {
    const at::Tensor normed = norm1_.Forward(x);
    x = ResidualSum(self_.Forward(normed, normed), x);
    x = ResidualSum(cross_.Forward(norm2_.Forward(x), text), x);
    const std::vector<at::Tensor> halves = widen_.Forward(norm3_.Forward(x)).chunk(2, -1);
    return ResidualSum(narrow_.Forward(halves[0] * at::gelu(halves[1])), x);
  }

 private:
  LayerNorm norm1_;
  ProjectedAttention self_;
  LayerNorm norm2_;
  ProjectedAttention cross_;
  LayerNorm norm3_;
  Linear widen_;
  Linear narrow_;
};

// Transformer blocks over the pixels, added to the image.
class Transformer final : public Layer {
 public:
  Transformer(Layer& parent, std::string name, const UNetOptions& options, int64_t stage,
              int64_t layers)
      : Layer(parent, std::move(name)),
        norm_(*this, "norm",
              {.groups = options.groups, .channels = options.channels[stage], .eps = 1e-6}) {
    const int64_t features = options.channels[stage];
    const auto project = [&](const char* projection) {
      if (options.linear_projection) {
        linear_.push_back(std::make_unique<Linear>(*this, projection,
                                                   LinearOptions{.in = features, .out = features}));
      } else {
        conv_.push_back(std::make_unique<Conv2d>(
            *this, projection,
            Conv2dOptions{.in = features, .out = features, .kernel = 1, .bias = true}));
      }
    };
    project("proj_in");
    for (int64_t i = 0; i < layers; ++i) {
      blocks_.push_back(
          std::make_unique<TransformerBlock>(*this, absl::StrCat("transformer_blocks.", i),
                                             features, options.heads[stage], options.context));
    }
    project("proj_out");
  }

  at::Tensor Forward(const at::Tensor& image, const at::Tensor& text) const {
    at::Tensor x = norm_.Forward(image);
    if (linear_.empty()) x = conv_[0]->Forward(x);
    x = x.permute({0, 2, 3, 1}).flatten(1, 2);
    if (conv_.empty()) x = linear_[0]->Forward(x);
    for (const auto& block : blocks_) x = block->Forward(x, text);
    if (conv_.empty()) x = linear_[1]->Forward(x);
    x = x.view({image.size(0), image.size(2), image.size(3), -1}).permute({0, 3, 1, 2});
    x = x.contiguous();
    if (linear_.empty()) x = conv_[1]->Forward(x);
    return ResidualSum(x, image);
  }

 private:
  GroupNorm norm_;
  std::vector<std::unique_ptr<Linear>> linear_;  // in and out, or empty
  std::vector<std::unique_ptr<Conv2d>> conv_;    // likewise
  std::vector<std::unique_ptr<TransformerBlock>> blocks_;
};

// Residual blocks, each with a transformer behind it or none, and a convolution that changes the
// image's size. In the middle there is one residual block more, before the transformer.
class Stage final : public Layer {
 public:
  // `in`: channels of each residual block's input.
  Stage(Layer& parent, std::string name, const UNetOptions& options, int64_t stage, int64_t layers,
        const std::vector<int64_t>& in, bool middle, const char* resize)
      : Layer(parent, std::move(name)) {
    const int64_t out = options.channels[stage];
    const size_t transformers = layers == 0 ? 0 : in.size() - (middle ? 1 : 0);
    for (size_t i = 0; i < transformers; ++i) {
      transformers_.push_back(std::make_unique<Transformer>(*this, absl::StrCat("attentions.", i),
                                                            options, stage, layers));
    }
    for (size_t i = 0; i < in.size(); ++i) {
      blocks_.push_back(std::make_unique<ResidualBlock>(
          *this, absl::StrCat("resnets.", i),
          ResidualBlockOptions{
              .in = in[i], .out = out, .groups = options.groups, .time = options.time()}));
    }
    if (resize == nullptr) return;
    const bool halves = std::string(resize) == "downsamplers";
    resize_ = std::make_unique<Conv2d>(*this, absl::StrCat(resize, ".0.conv"),
                                       Conv2dOptions{.in = out,
                                                     .out = out,
                                                     .kernel = 3,
                                                     .stride = halves ? 2 : 1,
                                                     .padding = 1,
                                                     .bias = true});
  }

  size_t size() const { return blocks_.size(); }
  bool resizes() const { return resize_ != nullptr; }

  at::Tensor Block(size_t i, const at::Tensor& x, const at::Tensor& time,
                   const at::Tensor& text) const {
    const at::Tensor y = blocks_[i]->Forward(x, time);
    return i < transformers_.size() ? transformers_[i]->Forward(y, text) : y;
  }

  at::Tensor Resize(const at::Tensor& x) const { return resize_->Forward(x); }

 private:
  std::vector<std::unique_ptr<Transformer>> transformers_;
  std::vector<std::unique_ptr<ResidualBlock>> blocks_;
  std::unique_ptr<Conv2d> resize_;  // null: the image keeps its size
};

class UNet : public LayeredModel, public Trainable {
 public:
  explicit UNet(const UNetOptions& options)
      : options_(options),
        first_(*this, "conv_in",
               {.in = kLatentChannels,
                .out = options.channels[0],
                .kernel = 3,
                .padding = 1,
                .bias = true}),
        time_features_(*this, options.channels[0], /*shift=*/0),
        time_(*this, "time_embedding", options.channels[0], options.time()) {
    if (options.text_features > 0) {
      id_features_ = std::make_unique<TimeFeatures>(*this, options.id_features, /*shift=*/0);
      added_ = std::make_unique<TwoLinear>(*this, "add_embedding",
                                           kTimeIds * options.id_features + options.text_features,
                                           options.time());
    }
    MakeStages();
    norm_ = std::make_unique<GroupNorm>(
        *this, "conv_norm_out",
        GroupNormOptions{.groups = options.groups, .channels = options.channels[0]});
    last_ = std::make_unique<Conv2d>(*this, "conv_out",
                                     Conv2dOptions{.in = options.channels[0],
                                                   .out = kLatentChannels,
                                                   .kernel = 3,
                                                   .padding = 1,
                                                   .bias = true});
  }

  // Latent images (N, 4, H, W), times (N), texts (N, S, context) and in SDXL texts (N, text_features)
  // and time ids (N, 6) -> the noise (N, 4, H, W).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckInputs(inputs);
    const at::Tensor& text = inputs[2];
    const at::Tensor time = Time(inputs);
    at::Tensor x = first_.Forward(inputs[0]);
    std::vector<at::Tensor> beside = {x};
    for (const auto& stage : down_) {
      for (size_t i = 0; i < stage->size(); ++i) {
        x = stage->Block(i, x, time, text);
        beside.push_back(x);
      }
      if (!stage->resizes()) continue;
      x = stage->Resize(x);
      beside.push_back(x);
    }
    for (size_t i = 0; i < middle_->size(); ++i) x = middle_->Block(i, x, time, text);
    for (const auto& stage : up_) {
      for (size_t i = 0; i < stage->size(); ++i) {
        x = stage->Block(i, at::concat({x, beside.back()}, 1), time, text);
        beside.pop_back();
      }
      if (!stage->resizes()) continue;
      // If an odd side was halved, twice that is a pixel too many.
      const at::Tensor& next = beside.back();
      x = stage->Resize(at::upsample_nearest2d(x, {next.size(2), next.size(3)}));
    }
    return {last_->Forward(Activate(Activation::kSilu, norm_->Forward(x)))};
  }

  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets) override {
    return at::mse_loss(outputs[0], targets[0]);
  }

 private:
  void MakeStages() {
    const int64_t stages = options_.stages(), last = stages - 1;
    const std::vector<int64_t>& channels = options_.channels;
    // Channels beside the residual blocks on the way up; the first block reads the last of them.
    std::vector<int64_t> beside = {channels[0]};
    for (int64_t i = 0; i < stages; ++i) {
      std::vector<int64_t> in(options_.layers_per_block, channels[i]);
      in[0] = channels[std::max<int64_t>(i - 1, 0)];
      const char* resize = i < last ? "downsamplers" : nullptr;
      down_.push_back(std::make_unique<Stage>(*this, absl::StrCat("down_blocks.", i), options_, i,
                                              options_.transformer_layers[i], in, false, resize));
      beside.insert(beside.end(), in.size() + (resize ? 1 : 0), channels[i]);
    }
    int64_t width = channels[last];
    for (int64_t i = last; i >= 0; --i) {
      std::vector<int64_t> in;
      for (int64_t block = 0; block <= options_.layers_per_block; ++block) {
        in.push_back(width + beside.back());
        beside.pop_back();
        width = channels[i];
      }
      up_.push_back(std::make_unique<Stage>(*this, absl::StrCat("up_blocks.", last - i), options_,
                                            i, options_.transformer_layers[i], in, false,
                                            i > 0 ? "upsamplers" : nullptr));
    }
    // A last stage without transformers has one layer of them behind it all the same.
    middle_ = std::make_unique<Stage>(*this, "mid_block", options_, last,
                                      std::max<int64_t>(options_.transformer_layers[last], 1),
                                      std::vector<int64_t>(2, channels[last]), true, nullptr);
  }

  // The features of the time, behind the SiLU that each residual block applies to them.
  at::Tensor Time(at::ArrayRef<at::Tensor> inputs) const {
    const at::ScalarType dtype = inputs[0].scalar_type();
    at::Tensor time = time_.Forward(time_features_.Forward(inputs[1], dtype));
    if (added_) {
      const at::Tensor ids = id_features_->Forward(inputs[4].flatten(), dtype);
      const at::Tensor joined = at::concat({inputs[3], ids.view({inputs[4].size(0), -1})}, 1);
      time.add_(added_->Forward(joined));
    }
    return at::silu(time);
  }

  void CheckInputs(at::ArrayRef<at::Tensor> inputs) const {
    const at::Tensor& image = inputs[0];
    TORCH_CHECK_VALUE(image.dim() == 4 && image.size(1) == kLatentChannels,
                      "stable_diffusion: the latent image is ", image.sizes(), "; want (N, ",
                      kLatentChannels, ", height, width)");
    const int64_t rows = image.size(0);
    const auto check = [&](const char* what, size_t input, std::vector<int64_t> want) {
      TORCH_CHECK_VALUE(inputs[input].sizes() == want, "stable_diffusion: the ", what, " is ",
                        inputs[input].sizes(), "; want ", at::IntArrayRef(want),
                        " for a latent image ", image.sizes());
    };
    check("timestep", 1, {rows});
    const int64_t tokens = inputs[2].dim() == 3 ? std::max<int64_t>(inputs[2].size(1), 1) : 1;
    check("text", 2, {rows, tokens, options_.context});
    if (!added_) return;
    check("text's embedding", 3, {rows, options_.text_features});
    check("time ids' tensor", 4, {rows, kTimeIds});
  }

  const UNetOptions options_;
  Conv2d first_;
  TimeFeatures time_features_;
  TwoLinear time_;
  std::unique_ptr<TimeFeatures> id_features_;  // SDXL's
  std::unique_ptr<TwoLinear> added_;           // SDXL's
  std::vector<std::unique_ptr<Stage>> down_;
  std::vector<std::unique_ptr<Stage>> up_;
  std::unique_ptr<Stage> middle_;
  std::unique_ptr<GroupNorm> norm_;
  std::unique_ptr<Conv2d> last_;
};

// An image out of noise: in each step the UNet tells the noise twice, for the text and for the text of what
// the image should not show, and goes further the way from the second to the first (classifier-free
// guidance).
class Denoising final : public UNet {
 public:
  Denoising(const UNetOptions& options, NoiseSchedule schedule, double guidance)
      : UNet(options), schedule_(std::move(schedule)), guidance_(guidance) {}

  // Noise (N, 4, H, W), texts and negative texts (N, S, context) -> the latent images behind each step
  // (N, steps, 4, H, W).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    const at::Tensor& noise = inputs[0];
    TORCH_CHECK_VALUE(inputs[1].sizes() == inputs[2].sizes(), "stable_diffusion: the text is ",
                      inputs[1].sizes(), ", the negative text ", inputs[2].sizes(),
                      "; want the same");
    const at::Tensor texts = at::concat({inputs[2], inputs[1]});
    at::Tensor image = schedule_.initial == 1 ? noise : noise * schedule_.initial;
    std::vector<at::Tensor> images;
    for (const DenoisingStep& step : schedule_.steps) {
      const at::Tensor read = step.input == 1 ? image : image * step.input;
      const at::Tensor times =
          at::full({2 * noise.size(0)}, step.time, noise.options().dtype(at::kLong));
      const std::vector<at::Tensor> told =
          UNet::Forward({at::concat({read, read}), times, texts})[0].chunk(2);
      const at::Tensor guided = at::lerp(told[0], told[1], guidance_);
      image = at::add(image * step.keep, guided, step.noise);
      images.push_back(image);
    }
    return {at::stack(images, 1)};
  }

 private:
  const NoiseSchedule schedule_;
  const double guidance_;
};

absl::StatusOr<UNetOptions> Options(const Parameters& parameters, bool xl) {
  constexpr char kFamily[] = "stable_diffusion";
  UNetOptions options{.channels = parameters.Integers("block_out_channels"),
                      .heads = parameters.Integers("attention_heads"),
                      .transformer_layers = parameters.Integers("transformer_layers"),
                      .layers_per_block = parameters.Integer("layers_per_block"),
                      .context = parameters.Integer("cross_attention_dim"),
                      .groups = parameters.Integer("norm_num_groups"),
                      .linear_projection = xl};
  absl::Status status =
      CheckForEachStage(kFamily, parameters, "block_out_channels", "attention_heads");
  status.Update(CheckForEachStage(kFamily, parameters, "block_out_channels", "transformer_layers"));
  if (!status.ok()) return status;
  for (int64_t i = 0; i < options.stages(); ++i) {
    const int64_t channels = options.channels[i];
    for (const int64_t divisor : {options.heads[i], options.groups, int64_t{2}}) {
      if (channels % divisor == 0) continue;
      return absl::InvalidArgumentError(absl::StrCat(kFamily, ": block_out_channels has ", channels,
                                                     "; want a multiple of 2, of its number in ",
                                                     "attention_heads, ", options.heads[i],
                                                     ", and of norm_num_groups, ", options.groups));
    }
  }
  if (xl) {
    options.text_features = parameters.Integer("text_features");
    options.id_features = parameters.Integer("addition_time_embed_dim");
    if (options.id_features % 2 != 0) {
      return absl::InvalidArgumentError(absl::StrCat(kFamily, ": addition_time_embed_dim is ",
                                                     options.id_features, "; want an even number"));
    }
  }
  return options;
}

template <bool kXl>
absl::StatusOr<std::unique_ptr<Model>> Make(const Parameters& parameters) {
  absl::StatusOr<UNetOptions> options = Options(parameters, kXl);
  if (!options.ok()) return options.status();
  return std::make_unique<UNet>(*options);
}

absl::StatusOr<std::unique_ptr<Model>> MakeDenoising(const Parameters& parameters) {
  absl::StatusOr<UNetOptions> options = Options(parameters, /*xl=*/false);
  if (!options.ok()) return options.status();
  const Sampler sampler = parameters.Text("scheduler") == "ddim" ? Sampler::kDdim : Sampler::kEuler;
  return std::make_unique<Denoising>(*options,
                                     MakeNoiseSchedule(sampler, parameters.Integer("steps")),
                                     parameters.Real("guidance_scale"));
}

ASSAY_MODEL_IMPLEMENTATION("stable_diffusion_unet", Make<false>);
ASSAY_MODEL_IMPLEMENTATION("sdxl_unet", Make<true>);
ASSAY_MODEL_IMPLEMENTATION("stable_diffusion_denoising", MakeDenoising);

}  // namespace
}  // namespace assay::models
