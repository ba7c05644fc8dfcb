// Swin transformers of videos as torchvision builds them (torchvision/models/video/swin_transformer.py).
// Tensor names, order and shapes are torchvision's, so its checkpoints fit.

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/roll.h>
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
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/core/recipes.h"
#include "models/layers/sequence/relative_position.h"
#include "models/layers/vision/conv3d.h"
#include "models/layers/vision/image_input.h"
#include "models/layers/vision/stochastic_depth.h"
#include "models/layers/vision/swin_blocks.h"
#include "models/layers/vision/windows.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

using Sizes = WindowSizes;  // of frames, rows and columns

constexpr int64_t kStages = 4;
constexpr Sizes kPatch = {2, 4, 4};   // frames and pixels
constexpr Sizes kWindow = {8, 7, 7};  // tokens
constexpr int64_t kWindowTokens = kWindow[0] * kWindow[1] * kWindow[2];
constexpr Sizes kNone = {0, 0, 0};

at::Tensor ShiftMask(const at::Tensor& x, const Sizes& window, const Sizes& shift) {
  const auto stretches = [&](int64_t d) {
    return SwinStretches(x.size(d + 1), window[d], shift[d], x.options());
  };
  const at::Tensor regions =
      stretches(0).view({-1, 1, 1}) * 9 + stretches(1).view({-1, 1}) * 3 + stretches(2);
  return SwinShiftMask(Windows(regions.unsqueeze(0).unsqueeze(-1), window).squeeze(-1));
}

// int64 (tokens, tokens): of the difference first token minus second.
at::Tensor PositionIndex() {
  const int64_t row = 2 * kWindow[2] - 1, frame = (2 * kWindow[1] - 1) * row;
  const at::Tensor place =
      (at::arange(kWindow[0], at::kLong).view({-1, 1, 1}) * frame +
       at::arange(kWindow[1], at::kLong).view({-1, 1}) * row + at::arange(kWindow[2], at::kLong))
          .flatten();
  return place.unsqueeze(1) - place.unsqueeze(0) + place[-1];
}

// Attention among the tokens of each window, of a video that may be rolled by half a window.
class WindowAttention final : public Layer {
 public:
  WindowAttention(Layer& parent, int64_t features, bool shifted)
      : Layer(parent, "attn"),
        shifted_(shifted),
        heads_(features / kSwinHeadFeatures),
        qkv_(*this, "qkv", {.in = features, .out = 3 * features}),
        projection_(*this, "proj", {.in = features, .out = features}) {
    int64_t differences = 1;
    for (const int64_t tokens : kWindow) differences *= 2 * tokens - 1;
    AddParameter("relative_position_bias_table", {differences, heads_}, EmbeddingInit(), table_);
    AddBuffer("relative_position_index", PositionIndex(), index_);
  }

  // (N, T, H, W, C), as x.
  at::Tensor Forward(const at::Tensor& x) const {
    Sizes window = kWindow, shift = kNone;
    for (int64_t d = 0; d < 3; ++d) {
      if (x.size(d + 1) <= window[d]) {
        window[d] = x.size(d + 1);
      } else if (shifted_) {
        shift[d] = window[d] / 2;
      }
    }
    const bool rolled = shift != kNone;
    at::Tensor y = PaddedToMultiples(x, window);
    if (rolled) y = at::roll(y, {-shift[0], -shift[1], -shift[2]}, {1, 2, 3});
    const at::Tensor mask = rolled ? ShiftMask(y, window, shift) : at::Tensor();
    y = WithoutWindows(projection_.Forward(Attended(Windows(y, window), mask)), window, y);
    if (rolled) y = at::roll(y, {shift[0], shift[1], shift[2]}, {1, 2, 3});
    return y.narrow(1, 0, x.size(1)).narrow(2, 0, x.size(2)).narrow(3, 0, x.size(3)).contiguous();
  }

 private:
  // windows (N * windows, tokens, C), as the result.
  at::Tensor Attended(const at::Tensor& windows, const at::Tensor& mask) const {
    const int64_t count = windows.size(0), tokens = windows.size(1);
    const at::Tensor qkv = qkv_.Forward(windows)
                               .view({count, tokens, 3, heads_, kSwinHeadFeatures})
                               .permute({2, 0, 3, 1, 4});
    const double scale = 1 / std::sqrt(static_cast<double>(kSwinHeadFeatures));
    // A smaller window takes the corner of the index, as torchvision does.
    const at::Tensor index = index_.narrow(0, 0, tokens).narrow(1, 0, tokens).flatten();
    at::Tensor scores = at::matmul(qkv[0] * scale, qkv[1].transpose(-2, -1))
                            .add_(RelativePositionBias(table_, index));
    if (mask.defined()) scores.view({-1, mask.size(0), heads_, tokens, tokens}).add_(mask);
    scores = at::softmax(scores, -1);
    return at::matmul(scores, qkv[2])
        .transpose(1, 2)
        .reshape({count, tokens, heads_ * kSwinHeadFeatures});
  }

  bool shifted_;
  int64_t heads_;
  Linear qkv_;
  Linear projection_;
  at::Tensor table_;  // (differences of positions, heads)
  at::Tensor index_;  // (tokens of a window, as many)
};

using Block = SwinBlock<WindowAttention>;

class Swin3d final : public LayeredModel {
 public:
  Swin3d(int64_t features, const std::vector<int64_t>& layers, double stochastic_depth,
         int64_t num_classes)
      : patches_(*this, "patch_embed.proj",
                 {.in = 3,
                  .out = features,
                  .kernel = {kPatch[0], kPatch[1]},
                  .stride = {kPatch[0], kPatch[1]},
                  .padded = false,
                  .bias = true}),
        patch_norm_(*this, "patch_embed.norm", {.features = features}) {
    int64_t last = -1, block = 0;
    for (const int64_t count : layers) last += count;
    for (int64_t stage = 0; stage < kStages; ++stage) {
      if (stage > 0) {
        mergings_.push_back(std::make_unique<SwinPatchMerging>(
            *this, absl::StrCat("features.", 2 * stage - 1), features, /*norm_behind=*/false));
        features *= 2;
      }
      stages_.emplace_back();
      for (int64_t i = 0; i < layers[stage]; ++i) {
        stages_.back().push_back(std::make_unique<Block>(
            *this, absl::StrCat("features.", 2 * stage, ".", i),
            SwinBlockOptions{
                .features = features,
                .stochastic_depth = StochasticDepthProbability(stochastic_depth, block++, last)},
            features, /*shifted=*/i % 2 == 1));
      }
    }
    norm_ = std::make_unique<LayerNorm>(*this, "norm", LayerNormOptions{.features = features});
    head_ =
        std::make_unique<Linear>(*this, "head", LinearOptions{.in = features, .out = num_classes});
  }

  // Videos (N, 3, T, H, W) -> logits (N, num_classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckVideo(inputs[0], "swin3d", 1, {});
    // Cubes of pixels become tokens.
    at::Tensor x =
        PaddedToMultiples(inputs[0].permute({0, 2, 3, 4, 1}), kPatch).permute({0, 4, 1, 2, 3});
    x = patch_norm_.Forward(patches_.Forward(x).permute({0, 2, 3, 4, 1}));
    for (int64_t stage = 0; stage < kStages; ++stage) {
      if (stage > 0) x = mergings_[stage - 1]->Forward(x);
      for (const std::unique_ptr<Block>& block : stages_[stage]) x = block->Forward(x);
    }
    return {head_->Forward(norm_->Forward(x).mean({1, 2, 3}))};
  }

 private:
  Conv3d patches_;
  LayerNorm patch_norm_;
  std::vector<std::vector<std::unique_ptr<Block>>> stages_;
  std::vector<std::unique_ptr<SwinPatchMerging>> mergings_;  // between them
  std::unique_ptr<LayerNorm> norm_;
  std::unique_ptr<Linear> head_;
};

ASSAY_MODEL_IMPLEMENTATION(
    "swin3d", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const int64_t channels = parameters.Integer("channels");
      const absl::Status status =
          CheckCount("swin3d", parameters, "layers", kStages, "one for each stage");
      if (!status.ok()) return status;
      if (channels % kSwinHeadFeatures != 0) {
        return absl::InvalidArgumentError(absl::StrCat("swin3d: channels ", channels,
                                                       " is not a multiple of ", kSwinHeadFeatures,
                                                       ", the width of a head"));
      }
      return std::make_unique<Swin3d>(channels, parameters.Integers("layers"),
                                      parameters.Real("stochastic_depth"),
                                      parameters.Integer("num_classes"));
    });

}  // namespace
}  // namespace assay::models
