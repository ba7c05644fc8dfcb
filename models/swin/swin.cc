// Swin and Swin v2 transformers as torchvision builds them (torchvision/models/swin_transformer.py).
// Tensor names, order and shapes are torchvision's, so its checkpoints fit.

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/norm.h>
#include <ATen/ops/roll.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/conv2d.h"
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/core/recipes.h"
#include "models/layers/sequence/relative_position.h"
#include "models/layers/vision/image_input.h"
#include "models/layers/vision/stochastic_depth.h"
#include "models/layers/vision/swin_blocks.h"
#include "models/layers/vision/windows.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr int64_t kPatch = 4;  // pixels a side
constexpr int64_t kHeadFeatures = kSwinHeadFeatures;
constexpr int64_t kStages = 4;
constexpr double kLogTen = 2.302585092994046;      // where v2's logarithm of a score's scale begins
constexpr double kLogHundred = 4.605170185988092;  // and what it is held below

struct SwinOptions {
  bool second;       // Swin v2
  int64_t channels;  // of the first stage, a multiple of kHeadFeatures
  std::vector<int64_t> layers;
  double stochastic_depth;
  int64_t num_classes;

  int64_t window() const { return second ? 8 : 7; }  // tokens a side
};

// What (windows, 1, tokens, tokens) to add to the scores of a rolled image.
at::Tensor ShiftMask(const at::Tensor& x, const WindowSizes& window, int64_t rows,
                     int64_t columns) {
  const at::Tensor regions =
      SwinStretches(x.size(2), window[1], rows, x.options()).view({1, 1, -1, 1, 1}) * 3 +
      SwinStretches(x.size(3), window[2], columns, x.options()).view({1, 1, 1, -1, 1});
  return SwinShiftMask(Windows(regions, window).squeeze(-1));
}

// x over its length along the last dimension.
at::Tensor Normalized(const at::Tensor& x) {
  return x.div(x.norm(2, at::IntArrayRef({-1}), /*keepdim=*/true).clamp_min(1e-12));
}

// V2 has this in place of a table: a small network of the logarithm of each difference of positions,
// and scores that are cosines with a scale of their own for each head.
class ContinuousPositions final : public Layer {
 public:
  ContinuousPositions(Layer& parent, int64_t heads)
      : Layer(parent, "cpb_mlp"),
        linear0_(*this, "0", {.in = 2, .out = 512}),
        linear2_(*this, "2", {.in = 512, .out = heads, .bias = false}) {}

  // (1, D, D, 2) -> (D * D, heads).
  at::Tensor Forward(const at::Tensor& coordinates) const {
    return linear2_.Forward(linear0_.Forward(coordinates).relu_()).flatten(0, 2);
  }

  // (1, D, D, 2) for the D = 2 * window - 1 differences in each direction: rows, then columns.
  static at::Tensor Coordinates(int64_t window) {
    const int64_t differences = 2 * window - 1;
    at::Tensor coordinates = at::zeros({1, differences, differences, 2});
    auto* out = coordinates.mutable_data_ptr<float>();
    const auto scaled = [window](int64_t i) {
      const double x =
          8.0 * static_cast<double>(i - (window - 1)) / static_cast<double>(window - 1);
      return static_cast<float>(std::copysign(std::log2(std::fabs(x) + 1) / 3, x));
    };
    for (int64_t row = 0; row < differences; ++row) {
      for (int64_t column = 0; column < differences; ++column) {
        *out++ = scaled(row);
        *out++ = scaled(column);
      }
    }
    return coordinates;
  }

 private:
  Linear linear0_;
  Linear linear2_;
};

// Attention among the tokens of each window, of an image that may be rolled by half a window.
class WindowAttention final : public Layer {
 public:
  WindowAttention(Layer& parent, const SwinOptions& options, int64_t features, bool shifted)
      : Layer(parent, "attn"),
        second_(options.second),
        window_(options.window()),
        shift_(shifted ? options.window() / 2 : 0),
        heads_(features / kHeadFeatures),
        qkv_(*this, "qkv", features),
        projection_(*this, "proj", {.in = features, .out = features}) {
    if (second_) {
      AddParameter("logit_scale", {heads_, 1, 1}, ScaleInit(kLogTen), logit_scale_);
      AddBuffer("relative_coords_table", ContinuousPositions::Coordinates(window_), coordinates_);
      positions_ = std::make_unique<ContinuousPositions>(*this, heads_);
    } else {
      AddParameter("relative_position_bias_table", {RelativePositions(window_), heads_},
                   EmbeddingInit(), table_);
    }
    AddBuffer("relative_position_index", RelativePositionIndex(window_).flatten(), index_);
  }

  // (N, H, W, C), as x.
  at::Tensor Forward(const at::Tensor& x) const {
    const WindowSizes window = {1, window_, window_};
    at::Tensor y = PaddedToMultiples(x.unsqueeze(1), window);
    // One window over everything mixes nothing, wherever it begins.
    const int64_t rows = y.size(2) > window_ ? shift_ : 0;
    const int64_t columns = y.size(3) > window_ ? shift_ : 0;
    const bool rolled = rows + columns > 0;
    if (rolled) y = at::roll(y, {-rows, -columns}, {2, 3});
    const at::Tensor mask = rolled ? ShiftMask(y, window, rows, columns) : at::Tensor();
    y = WithoutWindows(projection_.Forward(Attended(Windows(y, window), mask)), window, y);
    if (rolled) y = at::roll(y, {rows, columns}, {2, 3});
    return y.squeeze(1).narrow(1, 0, x.size(1)).narrow(2, 0, x.size(2)).contiguous();
  }

 private:
  // Query, key and value from one product. Its bias has no use for the key of a cosine, so v2 takes
  // zeros in place of that part, whatever it holds.
  class QueryKeyValue final : public Layer {
   public:
    QueryKeyValue(Layer& parent, std::string name, int64_t features)
        : Layer(parent, std::move(name)), features_(features) {
      AddParameter("weight", {3 * features, features}, WeightInit(features), weight_);
      AddParameter("bias", {3 * features}, BiasInit(), bias_);
    }

    at::Tensor Forward(const at::Tensor& x, bool without_key_bias) const {
      if (!without_key_bias) return at::linear(x, weight_, bias_);
      at::Tensor bias = bias_.clone();
      bias.narrow(0, features_, features_).zero_();
      return at::linear(x, weight_, bias);
    }

   private:
    int64_t features_;
    at::Tensor weight_;  // (3 * features, features)
    at::Tensor bias_;    // (3 * features)
  };

  at::Tensor Bias() const {
    if (!second_) return RelativePositionBias(table_, index_);
    return RelativePositionBias(positions_->Forward(coordinates_), index_).sigmoid_().mul(16);
  }

  // windows (N * windows, tokens, C), as the result.
  at::Tensor Attended(const at::Tensor& windows, const at::Tensor& mask) const {
    const int64_t count = windows.size(0), tokens = windows.size(1);
    const at::Tensor qkv = qkv_.Forward(windows, /*without_key_bias=*/second_)
                               .view({count, tokens, 3, heads_, kHeadFeatures})
                               .permute({2, 0, 3, 1, 4});
    const at::Tensor query = qkv[0], key = qkv[1].transpose(-2, -1), value = qkv[2];
    at::Tensor scores;
    if (second_) {
      scores = at::matmul(Normalized(query), Normalized(qkv[1]).transpose(-2, -1));
      scores = scores.mul(logit_scale_.clamp_max(kLogHundred).exp());
    } else {
      scores = at::matmul(query * (1 / std::sqrt(static_cast<double>(kHeadFeatures))), key);
    }
    scores.add_(Bias());
    if (mask.defined()) scores.view({-1, mask.size(0), heads_, tokens, tokens}).add_(mask);
    scores = at::softmax(scores, -1);
    return at::matmul(scores, value)
        .transpose(1, 2)
        .reshape({count, tokens, heads_ * kHeadFeatures});
  }

  bool second_;
  int64_t window_;
  int64_t shift_;
  int64_t heads_;
  QueryKeyValue qkv_;
  Linear projection_;
  std::unique_ptr<ContinuousPositions> positions_;  // v2
  at::Tensor logit_scale_;                          // v2: (heads, 1, 1)
  at::Tensor coordinates_;                          // v2: (1, 2 window - 1, 2 window - 1, 2)
  at::Tensor table_;                                // v1: (differences of positions, heads)
  at::Tensor index_;                                // (window^4)
};

using Block = SwinBlock<WindowAttention>;

class Swin final : public LayeredModel {
 public:
  explicit Swin(const SwinOptions& options)
      : patches_(
            *this, "features.0.0",
            {.in = 3, .out = options.channels, .kernel = kPatch, .stride = kPatch, .bias = true}),
        patch_norm_(*this, "features.0.2", {.features = options.channels}) {
    int64_t blocks = 0;
    for (const int64_t layers : options.layers) blocks += layers;
    int64_t block = 0;
    int64_t features = options.channels;
    for (int64_t stage = 0; stage < kStages; ++stage) {
      if (stage > 0) {
        mergings_.push_back(std::make_unique<SwinPatchMerging>(
            *this, absl::StrCat("features.", 2 * stage), features, options.second));
        features *= 2;
      }
      stages_.emplace_back();
      for (int64_t i = 0; i < options.layers[stage]; ++i) {
        stages_.back().push_back(std::make_unique<Block>(
            *this, absl::StrCat("features.", 2 * stage + 1, ".", i),
            SwinBlockOptions{.features = features,
                             .stochastic_depth = StochasticDepthProbability(
                                 options.stochastic_depth, block++, blocks - 1),
                             .norms_behind = options.second},
            options, features, /*shifted=*/i % 2 == 1));
      }
    }
    norm_ = std::make_unique<LayerNorm>(*this, "norm", LayerNormOptions{.features = features});
    head_ = std::make_unique<Linear>(*this, "head",
                                     LinearOptions{.in = features, .out = options.num_classes});
  }

  // Images (N, 3, H, W) -> logits (N, num_classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], "swin", {.minimum = kPatch});
    at::Tensor x = patch_norm_.Forward(patches_.Forward(inputs[0]).permute({0, 2, 3, 1}));
    for (int64_t stage = 0; stage < kStages; ++stage) {
      if (stage > 0) x = mergings_[stage - 1]->Forward(x);
      for (const std::unique_ptr<Block>& block : stages_[stage]) x = block->Forward(x);
    }
    return {head_->Forward(norm_->Forward(x).mean({1, 2}))};
  }

 private:
  Conv2d patches_;
  LayerNorm patch_norm_;
  std::vector<std::vector<std::unique_ptr<Block>>> stages_;
  std::vector<std::unique_ptr<SwinPatchMerging>> mergings_;  // between them
  std::unique_ptr<LayerNorm> norm_;
  std::unique_ptr<Linear> head_;
};

ASSAY_MODEL_IMPLEMENTATION(
    "swin", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const SwinOptions options = {.second = parameters.Integer("version") == 2,
                                   .channels = parameters.Integer("channels"),
                                   .layers = parameters.Integers("layers"),
                                   .stochastic_depth = parameters.Real("stochastic_depth"),
                                   .num_classes = parameters.Integer("num_classes")};
      const absl::Status status =
          CheckCount("swin", parameters, "layers", kStages, "one for each stage");
      if (!status.ok()) return status;
      if (options.channels % kHeadFeatures != 0) {
        return absl::InvalidArgumentError(absl::StrCat("swin: channels ", options.channels,
                                                       " is not a multiple of ", kHeadFeatures,
                                                       ", the width of a head"));
      }
      return std::make_unique<Swin>(options);
    });

}  // namespace
}  // namespace assay::models
