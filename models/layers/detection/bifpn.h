#ifndef ASSAY_MODELS_LAYERS_DETECTION_BIFPN_H_
#define ASSAY_MODELS_LAYERS_DETECTION_BIFPN_H_

// ---------------------------------------------------------------------------------------------
// models/layers/detection/bifpn.h: EfficientDet's pyramid as effdet builds it (effdet/efficientdet.py), names
// included: cells whose nodes take weighted means of features of neighbouring levels, down from the coarsest
// level and up again.
//
// A node on the way down reads its level and the node above; one on the way up reads all of its level and
// the node below.
//
// Not for: images whose sides are no multiples of the coarsest level's stride (effdet then stretches
// features by other factors than 2).
//
// Example:
//
//     BiFpn fpn{*this, "fpn", {.in = {40, 112, 320}, .channels = 64, .cells = 3}};
//     std::vector<at::Tensor> levels = fpn.Forward(stages);         // five, the finest first
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/layers/core/batch_norm2d.h"
#include "models/layers/core/conv2d.h"
#include "models/layers/core/layer.h"
#include "models/layers/vision/conv_norm_activation.h"

namespace assay::models {

inline constexpr int64_t kBiFpnLevels = 5;
// Factor on the recipe of a weight behind a SiLU, for what it takes away.
inline constexpr double kSiluGain = 2.2;

struct SeparableConvOptions {
  int64_t in, out;
  bool bias = false;
  double gain = 1;  // factor on the recipe of the second weight
};

// A 3x3 convolution of each channel, "conv_dw", then one of each pixel, "conv_pw".
class SeparableConv final : public Layer {
 public:
  SeparableConv(Layer& parent, std::string name, const SeparableConvOptions& options);

  at::Tensor Forward(const at::Tensor& x) const { return pixels_.Forward(channels_.Forward(x)); }

 private:
  Conv2d channels_, pixels_;
};

struct BiFpnOptions {
  std::vector<int64_t> in;  // channels of the stages that are the three finest levels
  int64_t channels;
  int64_t cells;
  bool tensorflow =
      false;  // convolutions in front of norms have biases; pooling pads as TensorFlow does

  BatchNorm2dOptions Norm() const { return {.channels = channels, .eps = 1e-3, .momentum = 0.01}; }
};

class BiFpnNode;

class BiFpn final : public Layer {
 public:
  BiFpn(Layer& parent, std::string name, const BiFpnOptions& options);
  ~BiFpn() override;

  // Stages, the finest first, (N, in[i], H, W), each with half the sides of the one before -> levels
  // (N, channels, H, W), two more.
  std::vector<at::Tensor> Forward(std::vector<at::Tensor> levels);

 private:
  const bool tensorflow_;
  std::unique_ptr<ConvNormActivation> top_;  // null where the last stage has the pyramid's channels
  std::vector<std::unique_ptr<BiFpnNode>> nodes_;  // of all cells
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_DETECTION_BIFPN_H_
