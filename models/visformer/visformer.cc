// Visformer as timm builds it (timm/models/visformer.py): a first stage of convolutions, then two of
// attention, all on images and with batch norms. Tensor names, order and shapes are timm's, so its
// checkpoints fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/mean.h>

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
#include "models/layers/core/batch_norm2d.h"
#include "models/layers/core/conv2d.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/core/recipes.h"
#include "models/layers/sequence/attention.h"
#include "models/layers/vision/conv_norm_activation.h"
#include "models/layers/vision/image_input.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr int64_t kStages = 3;
constexpr std::array<int64_t, kStages> kPatch = {4, 2, 2};  // pixels a side, of what comes in
constexpr int64_t kReduction = 32;                          // by the stem and the stages
constexpr int64_t kGroups = 8;                              // of the 3x3 convolutions

// Factor on the recipe of what ends a branch. Batch norms in evaluation do not hold the scale of what
// passes, so that without it scores of attention get into the hundreds and float32 differs from
// float64 by 10 % of the output.
constexpr double kBranchGain = 0.25;

struct VisformerOptions {
  int64_t resolution;
  int64_t stem_channels;
  int64_t channels;  // of the second stage; half of it in the first, twice in the third
  int64_t heads;
  std::vector<int64_t> layers;
  int64_t num_classes;
};

// Squares of an image become pixels of the next.
class PatchEmbedding final : public Layer {
 public:
  PatchEmbedding(Layer& parent, std::string name, int64_t in, int64_t out, int64_t patch)
      : Layer(parent, std::move(name)),
        projection_(*this, "proj",
                    {.in = in, .out = out, .kernel = patch, .stride = patch, .bias = true}),
        norm_(*this, "norm", {.channels = out}) {}

  at::Tensor Forward(const at::Tensor& x) { return norm_.Forward(projection_.Forward(x)); }

 private:
  Conv2d projection_;
  BatchNorm2d norm_;
};

// Among the pixels of an image.
class Attention final : public Layer {
 public:
  Attention(Layer& parent, int64_t channels, int64_t heads)
      : Layer(parent, "attn"),
        heads_(heads),
        qkv_(*this, "qkv", {.in = channels, .out = 3 * channels, .kernel = 1}),
        projection_(*this, "proj",
                    {.in = channels, .out = channels, .kernel = 1, .gain = kBranchGain}) {}

  // x (N, channels, H, W), as the result.
  at::Tensor Forward(const at::Tensor& x) const {
    const at::Tensor qkv = qkv_.Forward(x).flatten(2).transpose(1, 2).contiguous();
    const std::vector<at::Tensor> of = qkv.chunk(3, -1);
    const at::Tensor attended = Attend(of[0], of[1], of[2], {.heads = heads_});
    return projection_.Forward(attended.transpose(1, 2).reshape(x.sizes()));
  }

 private:
  int64_t heads_;
  Conv2d qkv_;
  Conv2d projection_;
};

class Block final : public Layer {
 public:
  Block(Layer& parent, std::string name, int64_t channels, int64_t heads, bool attends)
      : Layer(parent, std::move(name)) {
    if (attends) {
      norm1_ =
          std::make_unique<BatchNorm2d>(*this, "norm1", BatchNorm2dOptions{.channels = channels});
      attention_ = std::make_unique<Attention>(*this, channels, heads);
    }
    norm2_ =
        std::make_unique<BatchNorm2d>(*this, "norm2", BatchNorm2dOptions{.channels = channels});
    const int64_t hidden = (attends ? 4 : 2) * channels;
    AddConvolution("mlp.conv1", {.in = channels, .out = hidden, .kernel = 1});
    if (!attends) {
      AddConvolution("mlp.conv2",
                     {.in = hidden, .out = hidden, .kernel = 3, .padding = 1, .groups = kGroups});
    }
    AddConvolution("mlp.conv3", {.in = hidden, .out = channels, .kernel = 1, .gain = kBranchGain});
  }

  at::Tensor Forward(const at::Tensor& x) {
    const at::Tensor attended = attention_ ? attention_->Forward(norm1_->Forward(x)).add(x) : x;
    at::Tensor y = convolutions_[0]->Forward(norm2_->Forward(attended));
    for (size_t i = 1; i < convolutions_.size(); ++i) {
      y = convolutions_[i]->Forward(Activate(Activation::kGelu, std::move(y)));
    }
    return y.add(attended);
  }

 private:
  void AddConvolution(std::string name, const Conv2dOptions& options) {
    convolutions_.push_back(std::make_unique<Conv2d>(*this, std::move(name), options));
  }

  std::unique_ptr<BatchNorm2d> norm1_;    // null where
  std::unique_ptr<Attention> attention_;  // there is none
  std::unique_ptr<BatchNorm2d> norm2_;
  std::vector<std::unique_ptr<Conv2d>> convolutions_;  // a GELU between two
};

class Visformer final : public LayeredModel {
 public:
  explicit Visformer(const VisformerOptions& options)
      : resolution_(options.resolution),
        stem_(*this, NamesInSequence("stem"),
              {.in = 3, .out = options.stem_channels, .kernel = 7, .stride = 2}) {
    int64_t in = options.stem_channels, out = options.channels / 2, side = options.resolution / 2;
    for (int64_t stage = 0; stage < kStages; ++stage, in = out, out *= 2) {
      const std::string number = absl::StrCat(stage + 1);
      side /= kPatch[stage];
      AddParameter("pos_embed" + number, {1, out, side, side}, EmbeddingInit(), positions_[stage]);
      embeddings_.push_back(
          std::make_unique<PatchEmbedding>(*this, "patch_embed" + number, in, out, kPatch[stage]));
      stages_.emplace_back();
      for (int64_t i = 0; i < options.layers[stage]; ++i) {
        stages_.back().push_back(std::make_unique<Block>(*this,
                                                         absl::StrCat("stage", number, ".", i), out,
                                                         options.heads, /*attends=*/stage > 0));
      }
    }
    norm_ = std::make_unique<BatchNorm2d>(*this, "norm", BatchNorm2dOptions{.channels = in});
    head_ = std::make_unique<Linear>(*this, "head",
                                     LinearOptions{.in = in, .out = options.num_classes});
  }

  // Images (N, 3, resolution, resolution) -> logits (N, num_classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], "visformer", {.minimum = resolution_, .maximum = resolution_});
    at::Tensor x = stem_.Forward(inputs[0]);
    for (int64_t stage = 0; stage < kStages; ++stage) {
      x = embeddings_[stage]->Forward(x).add(positions_[stage]);
      for (const std::unique_ptr<Block>& block : stages_[stage]) x = block->Forward(x);
    }
    return {head_->Forward(norm_->Forward(x).mean({2, 3}))};
  }

 private:
  int64_t resolution_;
  ConvNormActivation stem_;
  std::array<at::Tensor, kStages> positions_;  // (1, channels, side, side)
  std::vector<std::unique_ptr<PatchEmbedding>> embeddings_;
  std::vector<std::vector<std::unique_ptr<Block>>> stages_;
  std::unique_ptr<BatchNorm2d> norm_;
  std::unique_ptr<Linear> head_;
};

absl::Status Check(const VisformerOptions& options) {
  if (options.resolution % kReduction != 0) {
    return absl::InvalidArgumentError(absl::StrCat("visformer: resolution ", options.resolution,
                                                   " is not a multiple of ", kReduction,
                                                   ", by which the image is reduced"));
  }
  if (options.channels % kGroups != 0) {
    return absl::InvalidArgumentError(absl::StrCat("visformer: channels ", options.channels,
                                                   " is not a multiple of ", kGroups,
                                                   ", the groups of a convolution"));
  }
  return absl::OkStatus();
}

ASSAY_MODEL_IMPLEMENTATION(
    "visformer", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const VisformerOptions options = {.resolution = parameters.Integer("resolution"),
                                        .stem_channels = parameters.Integer("stem_channels"),
                                        .channels = parameters.Integer("channels"),
                                        .heads = parameters.Integer("heads"),
                                        .layers = parameters.Integers("layers"),
                                        .num_classes = parameters.Integer("num_classes")};
      absl::Status status =
          CheckCount("visformer", parameters, "layers", kStages, "one for each stage");
      status.Update(Check(options));
      status.Update(CheckMultiple("visformer", parameters, "channels", "heads"));
      if (!status.ok()) return status;
      return std::make_unique<Visformer>(options);
    });

}  // namespace
}  // namespace assay::models
