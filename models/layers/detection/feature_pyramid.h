#ifndef ASSAY_MODELS_LAYERS_DETECTION_FEATURE_PYRAMID_H_
#define ASSAY_MODELS_LAYERS_DETECTION_FEATURE_PYRAMID_H_

// ---------------------------------------------------------------------------------------------
// models/layers/detection/feature_pyramid.h: a feature pyramid network as torchvision builds it
// (torchvision/ops/feature_pyramid_network.py), names included: each level is a stage's features, narrowed,
// plus the coarser level at twice its size, then a 3x3 convolution.
//
//     stage 4 ── inner ─────────── + ── layer ── level
//     stage 3 ── inner ── + (×2) ──┘
//
// Not for: norms within the pyramid.
//
// Example:
//
//     FeaturePyramid fpn{*this, "backbone.fpn", {.in = {512, 1024, 2048}, .top = PyramidTop::kP6P7}};
//     std::vector<at::Tensor> levels = fpn.Forward(stages);         // five, the finest first
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/layers/core/conv2d.h"
#include "models/layers/core/layer.h"

namespace assay::models {

// The levels that are coarser than the coarsest stage: every second pixel of the last level, or two convolutions of it.
enum class PyramidTop { kPool, kP6P7 };

struct FeaturePyramidOptions {
  std::vector<int64_t> in;  // channels of the stages
  int64_t out = 256;
  PyramidTop top = PyramidTop::kPool;
};

class FeaturePyramid final : public Layer {
 public:
  FeaturePyramid(Layer& parent, std::string name, const FeaturePyramidOptions& options);

  // Stages, the finest first, (N, in[i], H, W) -> levels (N, out, H, W), and one or two coarser ones.
  std::vector<at::Tensor> Forward(const std::vector<at::Tensor>& stages);

 private:
  std::vector<std::unique_ptr<Conv2d>> inner_;
  std::vector<std::unique_ptr<Conv2d>> layers_;
  std::unique_ptr<Conv2d> p6_;
  std::unique_ptr<Conv2d> p7_;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_DETECTION_FEATURE_PYRAMID_H_
