// MViT, version 1, as torchvision builds it (torchvision/models/video/mvit.py): a transformer of videos
// whose attention pools its tokens. Tensor names, order and shapes are torchvision's, so its
// checkpoints fit.

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/max_pool3d.h>
#include <ATen/ops/softmax.h>
#include <c10/util/Exception.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/core/recipes.h"
#include "models/layers/vision/conv3d.h"
#include "models/layers/vision/image_input.h"
#include "models/layers/vision/stochastic_depth.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr int64_t kStages = 4;
constexpr int64_t kPatchFrames = 2, kPatchPixels = 4;  // what the video is divided by
constexpr int64_t kFirstStride = 8;                    // of keys and values; each stage halves it
constexpr double kEps = 1e-6;
constexpr double kDropout = 0.5;

// The tokens of a video.
struct Grid {
  int64_t frames, rows, columns;
};

// Pools tokens (N, heads, 1 + frames * rows * columns, features). The first token, that of the class, stays
// as it is. Sets `grid` to that of the result. `pool`: (N * heads, features, frames, rows, columns), as the result.
at::Tensor Pooled(const at::Tensor& x, Grid& grid,
                  const std::function<at::Tensor(const at::Tensor&)>& pool) {
  const at::Tensor video = x.slice(2, 1).transpose(2, 3).reshape(
      {x.size(0) * x.size(1), x.size(3), grid.frames, grid.rows, grid.columns});
  const at::Tensor y = pool(video);
  grid = {y.size(2), y.size(3), y.size(4)};
  const at::Tensor tokens = y.reshape({x.size(0), x.size(1), x.size(3), -1}).transpose(2, 3);
  return at::concat({x.narrow(2, 0, 1), tokens}, 2);
}

// Pools each feature of a head by a convolution of its own, and a norm.
class TokenPool final : public Layer {
 public:
  TokenPool(Layer& parent, std::string name, int64_t features, int64_t stride)
      : Layer(parent, std::move(name)),
        conv_(*this, "pool",
              {.in = features,
               .out = features,
               .kernel = 3,
               .stride = {1, stride},
               .groups = features}),
        norm_(*this, "norm_act.0", {.features = features, .eps = kEps}) {}

  at::Tensor Forward(const at::Tensor& x, Grid& grid) const {
    return norm_.Forward(
        Pooled(x, grid, [this](const at::Tensor& video) { return conv_.Forward(video); }));
  }

 private:
  Conv3d conv_;
  LayerNorm norm_;
};

struct BlockOptions {
  int64_t in;
  int64_t out;
  int64_t heads;
  bool halves;     // rows and columns
  int64_t stride;  // of keys and values
  double stochastic_depth;
};

class Attention final : public Layer {
 public:
  Attention(Layer& parent, const BlockOptions& options)
      : Layer(parent, "attn"),
        heads_(options.heads),
        qkv_(*this, "qkv", {.in = options.in, .out = 3 * options.in}),
        projection_(*this, "project.0", {.in = options.in, .out = options.in}),
        pool_query_(options.halves
                        ? std::make_unique<TokenPool>(*this, "pool_q", options.in / heads_, 2)
                        : nullptr),
        pool_key_(*this, "pool_k", options.in / heads_, options.stride),
        pool_value_(*this, "pool_v", options.in / heads_, options.stride) {}

  // x (N, tokens, features); sets `grid` to that of the result.
  at::Tensor Forward(const at::Tensor& x, Grid& grid) const {
    const int64_t features = x.size(2), head = features / heads_;
    const at::Tensor qkv =
        qkv_.Forward(x).view({x.size(0), x.size(1), 3, heads_, head}).permute({2, 0, 3, 1, 4});
    Grid of_keys = grid, of_values = grid;
    const at::Tensor key = pool_key_.Forward(qkv[1], of_keys);
    const at::Tensor value = pool_value_.Forward(qkv[2], of_values);
    const at::Tensor query = pool_query_ ? pool_query_->Forward(qkv[0], grid) : qkv[0];
    const double scale = 1 / std::sqrt(static_cast<double>(head));
    const at::Tensor weights = at::softmax(at::matmul(query * scale, key.transpose(2, 3)), -1);
    return projection_.Forward(
        at::matmul(weights, value).transpose(1, 2).reshape({x.size(0), -1, features}));
  }

 private:
  int64_t heads_;
  Linear qkv_;
  Linear projection_;
  std::unique_ptr<TokenPool> pool_query_;  // null: as many tokens as before
  TokenPool pool_key_;
  TokenPool pool_value_;
};

// Attention and a feed-forward layer, a norm in front of each. The latter may change the width.
class Block final : public Layer {
 public:
  Block(Layer& parent, std::string name, const BlockOptions& options)
      : Layer(parent, std::move(name)),
        halves_(options.halves),
        norm1_(*this, "norm1", {.features = options.in, .eps = kEps}),
        norm2_(*this, "norm2", {.features = options.in, .eps = kEps}),
        attention_(*this, options),
        widen_(*this, "mlp.0", {.in = options.in, .out = 4 * options.in}),
        narrow_(*this, "mlp.3", {.in = 4 * options.in, .out = options.out}),
        stochastic_depth_(*this, options.stochastic_depth),
        project_(options.in == options.out
                     ? nullptr
                     : std::make_unique<Linear>(
                           *this, "project", LinearOptions{.in = options.in, .out = options.out})) {
  }

  at::Tensor Forward(const at::Tensor& x, Grid& grid) const {
    Grid beside = grid;
    const at::Tensor attended = attention_.Forward(norm1_.Forward(x), grid);
    const at::Tensor y = (halves_ ? Halved(x, beside) : x).add(stochastic_depth_.Forward(attended));
    const at::Tensor normed = norm2_.Forward(y);
    const at::Tensor made = narrow_.Forward(Activate(Activation::kGelu, widen_.Forward(normed)));
    return (project_ ? project_->Forward(normed) : y).add(stochastic_depth_.Forward(made));
  }

 private:
  static at::Tensor Halved(const at::Tensor& x, Grid& grid) {
    return Pooled(x.unsqueeze(1), grid,
                  [](const at::Tensor& video) {
                    return at::max_pool3d(video, /*kernel_size=*/{1, 3, 3}, /*stride=*/{1, 2, 2},
                                          /*padding=*/{0, 1, 1});
                  })
        .squeeze(1);
  }

  bool halves_;
  LayerNorm norm1_;
  LayerNorm norm2_;
  Attention attention_;
  Linear widen_;
  Linear narrow_;
  StochasticDepth stochastic_depth_;
  std::unique_ptr<Linear> project_;  // null: as wide as before
};

struct MvitOptions {
  int64_t channels;
  std::vector<int64_t> layers;
  double stochastic_depth;
  int64_t num_classes;
  int64_t frames, resolution;

  Grid grid() const {
    return {frames / kPatchFrames, resolution / kPatchPixels, resolution / kPatchPixels};
  }
};

class Mvit final : public LayeredModel {
 public:
  explicit Mvit(const MvitOptions& options)
      : options_(options),
        patches_(*this, "conv_proj",
                 {.in = 3,
                  .out = options.channels,
                  .kernel = {3, 7},
                  .stride = {kPatchFrames, kPatchPixels},
                  .bias = true}),
        positions_(*this, options) {
    int64_t last = -1, block = 0, in = options.channels;
    for (const int64_t count : options.layers) last += count;
    for (int64_t stage = 0; stage < kStages; ++stage) {
      for (int64_t i = 0; i < options.layers[stage]; ++i, ++block) {
        const bool widens = stage + 1 < kStages && i + 1 == options.layers[stage];
        blocks_.push_back(std::make_unique<Block>(
            *this, absl::StrCat("blocks.", block),
            BlockOptions{.in = in,
                         .out = widens ? 2 * in : in,
                         .heads = int64_t{1} << stage,
                         .halves = stage > 0 && i == 0,
                         .stride = kFirstStride >> stage,
                         .stochastic_depth =
                             StochasticDepthProbability(options.stochastic_depth, block, last)}));
        if (widens) in *= 2;
      }
    }
    norm_ =
        std::make_unique<LayerNorm>(*this, "norm", LayerNormOptions{.features = in, .eps = kEps});
    head_ = std::make_unique<Linear>(*this, "head.1",
                                     LinearOptions{.in = in, .out = options.num_classes});
  }

  // Videos (N, 3, frames, resolution, resolution) -> logits (N, num_classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    const at::Tensor& video = inputs[0];
    CheckVideo(video, "mvit", options_.frames,
               {.minimum = options_.resolution, .maximum = options_.resolution});
    TORCH_CHECK_VALUE(video.size(2) == options_.frames, "mvit: the video is ", video.sizes(),
                      "; it must have exactly ", options_.frames, " frames");
    at::Tensor x = positions_.Forward(patches_.Forward(video).flatten(2).transpose(1, 2));
    Grid grid = options_.grid();
    for (const std::unique_ptr<Block>& block : blocks_) x = block->Forward(x, grid);
    return {head_->Forward(dropout_.Forward(norm_->Forward(x).select(1, 0)))};
  }

 private:
  // Puts a token of the class in front. Adds a row of its place and one of its time to each other token.
  class Positions final : public Layer {
   public:
    Positions(Layer& parent, const MvitOptions& options) : Layer(parent, "pos_encoding") {
      const Grid grid = options.grid();
      AddParameter("class_token", {options.channels}, EmbeddingInit(), class_token_);
      AddParameter("spatial_pos", {grid.rows * grid.columns, options.channels}, EmbeddingInit(),
                   places_);
      AddParameter("temporal_pos", {grid.frames, options.channels}, EmbeddingInit(), times_);
      AddParameter("class_pos", {options.channels}, EmbeddingInit(), class_position_);
    }

    // Tokens (N, T, C) -> (N, 1 + T, C).
    at::Tensor Forward(const at::Tensor& x) const {
      const at::Tensor first = (class_token_ + class_position_).expand({x.size(0), 1, x.size(2)});
      const at::Tensor positions = (times_.unsqueeze(1) + places_).flatten(0, 1);
      return at::concat({first, x + positions}, 1);
    }

   private:
    at::Tensor class_token_;     // (C)
    at::Tensor places_;          // (rows * columns, C)
    at::Tensor times_;           // (frames, C)
    at::Tensor class_position_;  // (C)
  };

  MvitOptions options_;
  Conv3d patches_;
  Positions positions_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::unique_ptr<LayerNorm> norm_;
  Dropout dropout_{*this, kDropout};
  std::unique_ptr<Linear> head_;
};

absl::Status Check(const MvitOptions& options) {
  if (options.frames % kPatchFrames == 0 && options.resolution % kPatchPixels == 0) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("mvit: ", options.frames, " frames of ", options.resolution,
                   " pixels a side; want multiples of ", kPatchFrames, " and ", kPatchPixels));
}

ASSAY_MODEL_IMPLEMENTATION(
    "mvit", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const MvitOptions options = {.channels = parameters.Integer("channels"),
                                   .layers = parameters.Integers("layers"),
                                   .stochastic_depth = parameters.Real("stochastic_depth"),
                                   .num_classes = parameters.Integer("num_classes"),
                                   .frames = parameters.Integer("frames"),
                                   .resolution = parameters.Integer("resolution")};
      absl::Status status = CheckCount("mvit", parameters, "layers", kStages, "one for each stage");
      status.Update(Check(options));
      if (!status.ok()) return status;
      return std::make_unique<Mvit>(options);
    });

}  // namespace
}  // namespace assay::models
