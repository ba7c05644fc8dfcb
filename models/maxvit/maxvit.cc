// MaxViT as torchvision builds it (torchvision/models/maxvit.py). Tensor names, order and shapes are
// torchvision's, so its checkpoints fit.

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/avg_pool2d.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/softmax.h>

#include <cmath>
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
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/core/recipes.h"
#include "models/layers/sequence/relative_position.h"
#include "models/layers/text/feed_forward.h"
#include "models/layers/vision/conv_norm_activation.h"
#include "models/layers/vision/image_input.h"
#include "models/layers/vision/squeeze_excitation.h"
#include "models/layers/vision/stochastic_depth.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr double kEps = 1e-3;  // of the batch norms
constexpr double kMomentum = 0.01;
constexpr int64_t kPartition = 7;      // tokens a side among which attention works
constexpr int64_t kHeadFeatures = 32;  // of a token, for each head
constexpr int64_t kExpansion = 4;      // hidden channels and features, in outer ones
constexpr int64_t kSqueeze = 4;        // outer channels to those that they are squeezed to
constexpr double kStochasticDepth = 0.2;

// Factor on the recipe of the position tables: scores are divided by the root of all of a token's
// features and not of a head's, so that attention is nearly uniform and hardly sees them. Without it
// a change of a table by 1 % moves the output by 7e-6 of its standard deviation; with it the least
// effective table seen moves it by 1.3e-5, hardly more than the limit of a comparison.
constexpr double kPositionGain = 5;

ConvNormActivationOptions Convolution(int64_t in, int64_t out, Extent kernel, int64_t stride,
                                      int64_t groups) {
  return {.in = in,
          .out = out,
          .kernel = kernel,
          .stride = stride,
          .groups = groups,
          .activation = Activation::kGelu,
          .eps = kEps,
          .momentum = kMomentum};
}

// Norm, 1x1 to wide, depthwise 3x3, squeeze-excitation, 1x1 to narrow, added to the input, which is
// averaged and projected where the image is halved.
class MbConv final : public Layer {
 public:
  MbConv(Layer& parent, int64_t in, int64_t out, int64_t stride, double stochastic_depth)
      : Layer(parent, "MBconv"),
        projection_(stride == 1
                        ? nullptr
                        : std::make_unique<Conv2d>(
                              *this, "proj.1",
                              Conv2dOptions{.in = in, .out = out, .kernel = 1, .bias = true})),
        norm_(*this, "layers.pre_norm", {.channels = in, .eps = kEps, .momentum = kMomentum}),
        widen_(*this, NamesInSequence("layers.conv_a"), Convolution(in, kExpansion * out, 1, 1, 1)),
        depthwise_(*this, NamesInSequence("layers.conv_b"),
                   Convolution(kExpansion * out, kExpansion * out, 3, stride, kExpansion * out)),
        squeeze_excitation_(*this, "layers.squeeze_excitation",
                            {.channels = kExpansion * out,
                             .squeezed = out / kSqueeze,
                             .activation = Activation::kSilu}),
        narrow_(*this, "layers.conv_c",
                {.in = kExpansion * out, .out = out, .kernel = 1, .bias = true}),
        stochastic_depth_(*this, stochastic_depth) {}

  at::Tensor Forward(const at::Tensor& x) {
    at::Tensor y = depthwise_.Forward(widen_.Forward(norm_.Forward(x)));
    y = stochastic_depth_.Forward(narrow_.Forward(squeeze_excitation_.Forward(y)));
    if (!projection_) return y.add(x);
    return y.add(projection_->Forward(at::avg_pool2d(x, {3, 3}, {2, 2}, /*padding=*/{1, 1})));
  }

 private:
  std::unique_ptr<Conv2d> projection_;  // null where the input fits as it is
  BatchNorm2d norm_;
  ConvNormActivation widen_;
  ConvNormActivation depthwise_;
  SqueezeExcitation squeeze_excitation_;
  Conv2d narrow_;
  StochasticDepth stochastic_depth_;
};

// Among the tokens of each partition, which has a bias for each difference of positions.
class Attention final : public Layer {
 public:
  Attention(Layer& parent, std::string name, int64_t features)
      : Layer(parent, std::move(name)),
        heads_(features / kHeadFeatures),
        qkv_(*this, "to_qkv", {.in = features, .out = 3 * features}),
        merge_(*this, "merge", {.in = features, .out = features}) {
    Init init = EmbeddingInit();
    init.multiplier *= kPositionGain;
    AddParameter("relative_position_bias_table", {RelativePositions(kPartition), heads_}, init,
                 table_);
    AddBuffer("relative_position_index", RelativePositionIndex(kPartition), index_);
  }

  // x (N, partitions, tokens, features), as the result.
  at::Tensor Forward(const at::Tensor& x) const {
    const int64_t batch = x.size(0), partitions = x.size(1), tokens = x.size(2);
    const at::Tensor qkv = qkv_.Forward(x)
                               .view({batch, partitions, tokens, 3, heads_, kHeadFeatures})
                               .permute({3, 0, 1, 4, 2, 5});
    const at::Tensor key = qkv[1] * (1 / std::sqrt(static_cast<double>(x.size(3))));
    const at::Tensor scores =
        at::matmul(qkv[0], key.transpose(-2, -1)).add_(RelativePositionBias(table_, index_));
    return merge_.Forward(
        at::matmul(at::softmax(scores, -1), qkv[2]).transpose(2, 3).reshape(x.sizes()));
  }

 private:
  int64_t heads_;
  Linear qkv_;
  Linear merge_;
  at::Tensor table_;  // (differences of positions, heads)
  at::Tensor index_;  // (tokens, tokens)
};

// Attention and a feed-forward on the tokens of each partition, which is a window of neighbours, or a
// grid: tokens as far apart as such windows.
class PartitionAttention final : public Layer {
 public:
  PartitionAttention(Layer& parent, std::string name, bool grid, int64_t features,
                     double stochastic_depth)
      : Layer(parent, std::move(name)),
        grid_(grid),
        attention_norm_(*this, "attn_layer.0", {.features = features}),
        attention_(*this, "attn_layer.1", features),
        feed_forward_norm_(*this, "mlp_layer.0", {.features = features}),
        feed_forward_(*this, {"mlp_layer.1", "mlp_layer.3"},
                      {.features = features, .hidden = kExpansion * features}),
        stochastic_depth_(*this, stochastic_depth) {}

  // (N, C, H, W), as x.
  at::Tensor Forward(const at::Tensor& x) const {
    const int64_t batch = x.size(0), features = x.size(1);
    const int64_t rows = x.size(2) / kPartition, columns = x.size(3) / kPartition;
    at::Tensor y = grid_ ? x.reshape({batch, features, kPartition, rows, kPartition, columns})
                               .permute({0, 3, 5, 2, 4, 1})
                         : x.reshape({batch, features, rows, kPartition, columns, kPartition})
                               .permute({0, 2, 4, 3, 5, 1});
    y = y.reshape({batch, rows * columns, kPartition * kPartition, features});
    y = y.add(stochastic_depth_.Forward(attention_.Forward(attention_norm_.Forward(y))));
    y = y.add(stochastic_depth_.Forward(feed_forward_.Forward(feed_forward_norm_.Forward(y))));
    y = y.view({batch, rows, columns, kPartition, kPartition, features});
    return (grid_ ? y.permute({0, 5, 3, 1, 4, 2}) : y.permute({0, 5, 1, 3, 2, 4}))
        .reshape(x.sizes());
  }

 private:
  bool grid_;
  LayerNorm attention_norm_;
  Attention attention_;
  LayerNorm feed_forward_norm_;
  FeedForward feed_forward_;
  StochasticDepth stochastic_depth_;
};

class Block final : public Layer {
 public:
  Block(Layer& parent, std::string name, int64_t in, int64_t out, int64_t stride,
        double stochastic_depth)
      : Layer(parent, std::move(name)),
        convolution_(*this, in, out, stride, stochastic_depth),
        window_(*this, "window_attention", /*grid=*/false, out, stochastic_depth),
        grid_(*this, "grid_attention", /*grid=*/true, out, stochastic_depth) {}

  at::Tensor Forward(const at::Tensor& x) {
    return grid_.Forward(window_.Forward(convolution_.Forward(x)));
  }

 private:
  MbConv convolution_;
  PartitionAttention window_;
  PartitionAttention grid_;
};

struct MaxVitOptions {
  std::vector<int64_t> channels;  // of each stage; the stem has the first's
  std::vector<int64_t> layers;    // blocks in each stage
  int64_t resolution;
  int64_t num_classes;
};

class MaxVit final : public LayeredModel {
 public:
  explicit MaxVit(const MaxVitOptions& options)
      : resolution_(options.resolution),
        stem0_(*this, NamesInSequence("stem.0"), Convolution(3, options.channels[0], 3, 2, 1)),
        stem1_(*this, "stem.1.0",
               {.in = options.channels[0],
                .out = options.channels[0],
                .kernel = 3,
                .padding = 1,
                .bias = true}),
        blocks_(MakeBlocks(options)),
        norm_(*this, "classifier.2", {.features = options.channels.back()}),
        linear3_(*this, "classifier.3",
                 {.in = options.channels.back(), .out = options.channels.back()}),
        linear5_(*this, "classifier.5",
                 {.in = options.channels.back(), .out = options.num_classes, .bias = false}) {}

  // Images (N, 3, resolution, resolution) -> logits (N, num_classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], "maxvit", {.minimum = resolution_, .maximum = resolution_});
    at::Tensor x = stem1_.Forward(stem0_.Forward(inputs[0]));
    for (const std::unique_ptr<Block>& block : blocks_) x = block->Forward(x);
    x = norm_.Forward(at::adaptive_avg_pool2d(x, {1, 1}).flatten(1));
    return {linear5_.Forward(linear3_.Forward(x).tanh_())};
  }

 private:
  std::vector<std::unique_ptr<Block>> MakeBlocks(const MaxVitOptions& options) {
    int64_t count = 0;
    for (const int64_t layers : options.layers) count += layers;
    std::vector<std::unique_ptr<Block>> blocks;
    int64_t in = options.channels[0];
    for (size_t stage = 0; stage < options.layers.size(); ++stage) {
      for (int64_t i = 0; i < options.layers[stage]; ++i) {
        blocks.push_back(std::make_unique<Block>(
            *this, absl::StrCat("blocks.", stage, ".layers.", i, ".layers"), in,
            options.channels[stage], i == 0 ? 2 : 1,
            StochasticDepthProbability(kStochasticDepth, static_cast<int64_t>(blocks.size()),
                                       count - 1)));
        in = options.channels[stage];
      }
    }
    return blocks;
  }

  int64_t resolution_;
  ConvNormActivation stem0_;
  Conv2d stem1_;
  std::vector<std::unique_ptr<Block>> blocks_;
  LayerNorm norm_;
  Linear linear3_;
  Linear linear5_;
};

absl::Status Check(const MaxVitOptions& options) {
  for (const int64_t channels : options.channels) {
    if (channels % kHeadFeatures != 0) {
      return absl::InvalidArgumentError(absl::StrCat("maxvit: channels ", channels,
                                                     " are not a multiple of ", kHeadFeatures,
                                                     ", the width of a head"));
    }
  }
  const int64_t multiple = kPartition << (options.layers.size() + 1);
  if (options.resolution % multiple != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("maxvit: resolution ", options.resolution, " is not a multiple of ", multiple,
                     ": partitions of ", kPartition, " tokens must fill the image in each stage"));
  }
  return absl::OkStatus();
}

ASSAY_MODEL_IMPLEMENTATION(
    "maxvit", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const MaxVitOptions options = {.channels = parameters.Integers("channels"),
                                     .layers = parameters.Integers("layers"),
                                     .resolution = parameters.Integer("resolution"),
                                     .num_classes = parameters.Integer("num_classes")};
      absl::Status status = CheckForEachStage("maxvit", parameters, "channels", "layers");
      status.Update(Check(options));
      if (!status.ok()) return status;
      return std::make_unique<MaxVit>(options);
    });

}  // namespace
}  // namespace assay::models
