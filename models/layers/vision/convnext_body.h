#ifndef ASSAY_MODELS_LAYERS_VISION_CONVNEXT_BODY_H_
#define ASSAY_MODELS_LAYERS_VISION_CONVNEXT_BODY_H_

// ---------------------------------------------------------------------------------------------
// models/layers/vision/convnext_body.h: a ConvNeXt around its blocks; only the blocks differ between its
// versions.
//
//     image ── convolution 4x4 with stride 4 ── norm ── blocks
//                             ── norm ── convolution 2x2 with stride 2 ── blocks    three times
//                             ── mean over the image ── norm ── linear ── logits
//
// Not for: ConvNeXts of other than four stages.
//
// Example:
//
//     class Block final : public ConvNextBlock { … };
//
//     return MakeConvNext(parameters, {.family = "convnext", …},
//                         [](Layer& parent, const ConvNextPlace& place) {
//                           return std::make_unique<Block>(parent, place);
//                         });
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "models/layers/core/conv2d.h"
#include "models/layers/core/layer.h"
#include "models/layers/core/layer_norm.h"
#include "models/model.h"
#include "models/parameters.h"

namespace assay::models {

inline constexpr double kConvNextEps = 1e-6;

// The place of a block.
struct ConvNextPlace {
  std::string name;
  int64_t channels;
  int64_t block, last;  // its number among those of all stages, and the last one's
};

// A block begins with a depthwise 7x7 convolution and a norm over the channels, `conv` and `norm`.
class ConvNextBlock : public Layer {
 public:
  ConvNextBlock(Layer& parent, const ConvNextPlace& place, std::string conv, std::string norm);

  // x (N, channels, H, W), as the result.
  virtual at::Tensor Forward(const at::Tensor& x) const = 0;

 protected:
  Conv2d conv_;
  LayerNorm norm_;
};

struct ConvNextNames {
  std::string family;                                    // in messages
  std::string stem;                                      // of its convolution "0" and its norm "1"
  std::function<std::string(int64_t stage)> downsample;  // of its norm "0" and its convolution "1"
  std::function<std::string(int64_t stage, int64_t block)> block;
  std::string norm, linear;
};

using MakeConvNextBlock =
    std::function<std::unique_ptr<ConvNextBlock>(Layer& parent, const ConvNextPlace& place)>;

// Images (N, 3, H, W) of 32 pixels a side or more -> logits (N, num_classes). Reads the parameters
// channels, layers (blocks in each stage) and num_classes; InvalidArgument unless there are four of
// the first two.
absl::StatusOr<std::unique_ptr<Model>> MakeConvNext(const Parameters& parameters,
                                                    const ConvNextNames& names,
                                                    const MakeConvNextBlock& make_block);

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_VISION_CONVNEXT_BODY_H_
