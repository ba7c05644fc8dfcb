#ifndef ASSAY_MODELS_LAYERS_VISION_SWIN_BLOCKS_H_
#define ASSAY_MODELS_LAYERS_VISION_SWIN_BLOCKS_H_

// ---------------------------------------------------------------------------------------------
// models/layers/vision/swin_blocks.h: parts of Swin transformers of images and of videos, as
// torchvision builds them: a block around an attention in windows, the mask of windows over a
// rolled image, and the layer that halves it.
//
// Not for: attention, whose windows have two or three directions.
//
// Example:
//
//     SwinBlock<WindowAttention> block{*this, "features.1.0", {.features = 96}, options, shifted};
//     SwinPatchMerging merging{*this, "features.2", 96, /*norm_behind=*/false};
//     at::Tensor y = merging.Forward(block.Forward(x));        // (N, 56, 56, 96) -> (N, 28, 28, 192)
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <utility>

#include "models/layers/core/layer.h"
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/linear.h"
#include "models/layers/text/feed_forward.h"
#include "models/layers/vision/stochastic_depth.h"

namespace assay::models {

inline constexpr int64_t kSwinHeadFeatures = 32;  // of a token, for each head

// Numbers (length) of the two or three stretches of a direction that windows over a rolled image mix.
at::Tensor SwinStretches(int64_t length, int64_t window, int64_t shift,
                         const at::TensorOptions& options);

// Numbers (windows, tokens) of regions -> what (windows, 1, tokens, tokens) to add to the scores of
// tokens that only the shift made neighbours.
at::Tensor SwinShiftMask(const at::Tensor& regions);

struct SwinBlockOptions {
  int64_t features;
  double stochastic_depth = 0;
  bool norms_behind = false;  // attention and feed-forward, as in Swin v2, not in front of them
};

// The constructor of `Attention` takes the block and `of_attention`. Its Forward() keeps the shape.
template <typename Attention>
class SwinBlock final : public Layer {
 public:
  template <typename... OfAttention>
  SwinBlock(Layer& parent, std::string name, const SwinBlockOptions& options,
            OfAttention&&... of_attention)
      : Layer(parent, std::move(name)),
        norms_behind_(options.norms_behind),
        norm1_(*this, "norm1", {.features = options.features}),
        attention_(*this, std::forward<OfAttention>(of_attention)...),
        norm2_(*this, "norm2", {.features = options.features}),
        feed_forward_(*this, {"mlp.0", "mlp.3"},
                      {.features = options.features, .hidden = 4 * options.features}),
        stochastic_depth_(*this, options.stochastic_depth) {}

  at::Tensor Forward(const at::Tensor& x) const {
    at::Tensor y = norms_behind_ ? norm1_.Forward(attention_.Forward(x))
                                 : attention_.Forward(norm1_.Forward(x));
    const at::Tensor attended = x.add(stochastic_depth_.Forward(y));
    y = norms_behind_ ? norm2_.Forward(feed_forward_.Forward(attended))
                      : feed_forward_.Forward(norm2_.Forward(attended));
    return attended.add(stochastic_depth_.Forward(y));
  }

 private:
  bool norms_behind_;
  LayerNorm norm1_;
  Attention attention_;
  LayerNorm norm2_;
  FeedForward feed_forward_;
  StochasticDepth stochastic_depth_;
};

// Four neighbours become one token of twice the width.
class SwinPatchMerging final : public Layer {
 public:
  SwinPatchMerging(Layer& parent, std::string name, int64_t features, bool norm_behind);

  // (..., H, W, C) -> (..., H / 2, W / 2, 2 C), halves rounded up.
  at::Tensor Forward(const at::Tensor& x) const;

 private:
  bool norm_behind_;
  Linear reduction_;
  LayerNorm norm_;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_VISION_SWIN_BLOCKS_H_
