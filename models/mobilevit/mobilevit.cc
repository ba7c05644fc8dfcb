// MobileViT as timm builds it (timm/models/mobilevit.py). Tensor names, order and shapes are timm's,
// so its checkpoints fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/upsample_bilinear2d.h>

#include <array>
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
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/sequence/attention.h"
#include "models/layers/text/feed_forward.h"
#include "models/layers/vision/conv_norm_activation.h"
#include "models/layers/vision/image_input.h"
#include "models/layers/vision/inverted_residual.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr int64_t kStem = 16;  // channels
constexpr int64_t kHeads = 4;
constexpr int64_t kFeedForward = 2;  // its hidden width, in widths of a token
constexpr int64_t kPatch = 2;        // pixels a side
constexpr double kEps = 1e-5;        // of the layer norms

// Inverted residuals in each of the stages, and transformer blocks behind those of the last three.
constexpr std::array<int64_t, 5> kResiduals = {1, 3, 1, 1, 1};
constexpr std::array<int64_t, 5> kTransformers = {0, 0, 2, 4, 3};

// Factor on the recipe of the convolutions' weights, for what SiLU takes away: without it biases
// drown the image, and the outputs of two images differ by 0.2 % of their standard deviation.
constexpr double kGain = 1.25;
// Factor on the scale of the norm in front of a residual sum, as in models/efficientnet.
constexpr double kBranchGain = 0.5;

ConvNormNames Names(const std::string& name) { return {name + ".conv", name + ".bn"}; }

ConvNormActivationOptions Convolution(int64_t in, int64_t out, int64_t kernel) {
  return {.in = in, .out = out, .kernel = kernel, .activation = Activation::kSilu, .gain = kGain};
}

// Norm and self-attention, norm and feed-forward, each added to its input.
class TransformerBlock final : public Layer {
 public:
  TransformerBlock(Layer& parent, std::string name, int64_t features)
      : Layer(parent, std::move(name)),
        norm1_(*this, "norm1", {.features = features, .eps = kEps}),
        qkv_(*this, "attn.qkv", {.in = features, .out = 3 * features}),
        projection_(*this, "attn.proj", {.in = features, .out = features}),
        norm2_(*this, "norm2", {.features = features, .eps = kEps}),
        feed_forward_(*this, {"mlp.fc1", "mlp.fc2"},
                      {.features = features,
                       .hidden = kFeedForward * features,
                       .activation = Activation::kSilu}) {}

  at::Tensor Forward(const at::Tensor& x) const {
    const std::vector<at::Tensor> of = qkv_.Forward(norm1_.Forward(x)).chunk(3, -1);
    const at::Tensor attended =
        projection_.Forward(Attend(of[0], of[1], of[2], {.heads = kHeads})).add(x);
    return feed_forward_.Forward(norm2_.Forward(attended)).add(attended);
  }

 private:
  LayerNorm norm1_;
  Linear qkv_;
  Linear projection_;
  LayerNorm norm2_;
  FeedForward feed_forward_;
};

// A transformer between convolutions. It has a sequence for each place within a patch, whose tokens
// are the pixels at this place in all patches.
class MobileVitBlock final : public Layer {
 public:
  MobileVitBlock(Layer& parent, std::string name, int64_t channels, int64_t features,
                 int64_t transformers)
      : Layer(parent, std::move(name)),
        local_(*this, Names("conv_kxk"), Convolution(channels, channels, 3)),
        widen_(*this, "conv_1x1", {.in = channels, .out = features, .kernel = 1, .gain = kGain}) {
    for (int64_t i = 0; i < transformers; ++i) {
      transformers_.push_back(
          std::make_unique<TransformerBlock>(*this, absl::StrCat("transformer.", i), features));
    }
    norm_ = std::make_unique<LayerNorm>(*this, "norm",
                                        LayerNormOptions{.features = features, .eps = kEps});
    narrow_ = std::make_unique<ConvNormActivation>(*this, Names("conv_proj"),
                                                   Convolution(features, channels, 1));
    fuse_ = std::make_unique<ConvNormActivation>(*this, Names("conv_fusion"),
                                                 Convolution(2 * channels, channels, 3));
  }

  at::Tensor Forward(const at::Tensor& x) {
    at::Tensor y = widen_.Forward(local_.Forward(x));
    const int64_t batch = y.size(0), features = y.size(1), height = y.size(2), width = y.size(3);
    const int64_t rows = (height + kPatch - 1) / kPatch, columns = (width + kPatch - 1) / kPatch;
    const bool fits = height == rows * kPatch && width == columns * kPatch;
    if (!fits) y = at::upsample_bilinear2d(y, {rows * kPatch, columns * kPatch}, false);
    y = y.reshape({batch, features, rows, kPatch, columns, kPatch})
            .permute({0, 3, 5, 2, 4, 1})
            .reshape({batch * kPatch * kPatch, rows * columns, features});
    for (const std::unique_ptr<TransformerBlock>& block : transformers_) y = block->Forward(y);
    y = norm_->Forward(y)
            .view({batch, kPatch, kPatch, rows, columns, features})
            .permute({0, 5, 3, 1, 4, 2})
            .reshape({batch, features, rows * kPatch, columns * kPatch});
    if (!fits) y = at::upsample_bilinear2d(y, {height, width}, false);
    return fuse_->Forward(at::concat({x, narrow_->Forward(y)}, 1));
  }

 private:
  ConvNormActivation local_;
  Conv2d widen_;
  std::vector<std::unique_ptr<TransformerBlock>> transformers_;
  std::unique_ptr<LayerNorm> norm_;
  std::unique_ptr<ConvNormActivation> narrow_;
  std::unique_ptr<ConvNormActivation> fuse_;
};

struct MobileVitOptions {
  std::vector<int64_t> channels;  // of each stage
  std::vector<int64_t> features;  // of a token, in each of the last three stages
  int64_t expansion;              // a residual's hidden channels, in channels
  int64_t last;                   // channels in front of the classifier
  int64_t num_classes;
};

class MobileVit final : public LayeredModel {
 public:
  explicit MobileVit(const MobileVitOptions& options) : stem_(*this, Names("stem"), StemOptions()) {
    int64_t in = kStem;
    for (size_t stage = 0; stage < kResiduals.size(); ++stage) {
      Stage& made = stages_.emplace_back();
      const int64_t out = options.channels[stage];
      for (int64_t i = 0; i < kResiduals[stage]; ++i) {
        made.residuals.push_back(MakeResidual(absl::StrCat("stages.", stage, ".", i), in, out,
                                              options.expansion, stage > 0 && i == 0 ? 2 : 1));
        in = out;
      }
      if (kTransformers[stage] == 0) continue;
      made.block = std::make_unique<MobileVitBlock>(
          *this, absl::StrCat("stages.", stage, ".", kResiduals[stage]), out,
          options.features[stage - 2], kTransformers[stage]);
    }
    last_ = std::make_unique<ConvNormActivation>(*this, Names("final_conv"),
                                                 Convolution(in, options.last, 1));
    head_ = std::make_unique<Linear>(
        *this, "head.fc",
        LinearOptions{.in = options.last, .out = options.num_classes, .gain = kGain});
  }

  // Images (N, 3, H, W) -> logits (N, num_classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], "mobilevit", {});
    at::Tensor x = stem_.Forward(inputs[0]);
    for (const Stage& stage : stages_) {
      for (const std::unique_ptr<InvertedResidual>& block : stage.residuals) x = block->Forward(x);
      if (stage.block) x = stage.block->Forward(x);
    }
    return {head_->Forward(at::adaptive_avg_pool2d(last_->Forward(x), {1, 1}).flatten(1))};
  }

 private:
  struct Stage {
    std::vector<std::unique_ptr<InvertedResidual>> residuals;
    std::unique_ptr<MobileVitBlock> block;  // null in the first two stages
  };

  static ConvNormActivationOptions StemOptions() {
    ConvNormActivationOptions options = Convolution(3, kStem, 3);
    options.stride = 2;
    return options;
  }

  std::unique_ptr<InvertedResidual> MakeResidual(std::string name, int64_t in, int64_t out,
                                                 int64_t expansion, int64_t stride) {
    return std::make_unique<InvertedResidual>(
        *this, std::move(name),
        InvertedResidualOptions{
            .in = in,
            .expanded = RoundedToEight(static_cast<double>(expansion * in)),
            .out = out,
            .kernel = 3,
            .stride = stride,
            .activation = Activation::kSilu,
            .gain = kGain,
            .branch_gain = kBranchGain,
            .names = [](int part, bool /*last*/) {
              constexpr std::array kParts = {"conv1_1x1", "conv2_kxk", "conv3_1x1"};
              return Names(kParts[part]);
            }});
  }

  ConvNormActivation stem_;
  std::vector<Stage> stages_;
  std::unique_ptr<ConvNormActivation> last_;
  std::unique_ptr<Linear> head_;
};

absl::Status Check(const MobileVitOptions& options) {
  for (const int64_t features : options.features) {
    if (features % kHeads != 0) {
      return absl::InvalidArgumentError(absl::StrCat("mobilevit: features ", features,
                                                     " are not a multiple of ", kHeads,
                                                     ", the number of heads"));
    }
  }
  return absl::OkStatus();
}

ASSAY_MODEL_IMPLEMENTATION(
    "mobilevit", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const MobileVitOptions options = {.channels = parameters.Integers("channels"),
                                        .features = parameters.Integers("features"),
                                        .expansion = parameters.Integer("expansion"),
                                        .last = parameters.Integer("last"),
                                        .num_classes = parameters.Integer("num_classes")};
      absl::Status status =
          CheckCount("mobilevit", parameters, "channels", 5, "one for each stage");
      status.Update(CheckCount("mobilevit", parameters, "features", 3,
                               "one for each stage with transformers"));
      status.Update(Check(options));
      if (!status.ok()) return status;
      return std::make_unique<MobileVit>(options);
    });

}  // namespace
}  // namespace assay::models
