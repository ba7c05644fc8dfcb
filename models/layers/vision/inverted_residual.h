#ifndef ASSAY_MODELS_LAYERS_VISION_INVERTED_RESIDUAL_H_
#define ASSAY_MODELS_LAYERS_VISION_INVERTED_RESIDUAL_H_

// ---------------------------------------------------------------------------------------------
// models/layers/vision/inverted_residual.h: the block of mobile networks, narrow outside and wide inside.
//
//     x ─┬─ expand 1x1 ── depthwise k x k ── [squeeze-excitation] ── project 1x1 ─ [drop rows] ─ + ─
//        └──────────────────────── where stride and channels let it ────────────────────────────┘
//
// Expansion and depthwise convolution have the activation, the projection has none. Where nothing is
// to be expanded, the first convolution is left out. A fused block expands by a full k x k
// convolution in place of both; where nothing is to be expanded, that convolution is all of it.
//
// Families number and nest the same parts differently, so each gives the names.
//
// Not for: norms before the convolutions (maxvit).
//
// Example:
//
//     InvertedResidual block{*this, "features.1", {.in = 16, .expanded = 64, .out = 24, .kernel = 3,
//                            .stride = 2, .activation = Activation::kRelu6, .names = &Names}};
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/layers/core/activation.h"
#include "models/layers/core/layer.h"
#include "models/layers/vision/conv_norm_activation.h"
#include "models/layers/vision/squeeze_excitation.h"
#include "models/layers/vision/stochastic_depth.h"
#include "models/layers/vision/sums.h"

namespace assay::models {

// `channels` rounded to a multiple of `divisor`, but never to less than 90 % of it.
int64_t RoundedTo(int64_t divisor, double channels);
inline int64_t RoundedToEight(double channels) { return RoundedTo(8, channels); }

// The names of part number `part` of a block; the last part is the projection.
using InvertedResidualNames = ConvNormNames (*)(int part, bool last);

// "block.<part>.0" and "block.<part>.1", as mobilenet_v3 and efficientnet have it. torchvision's
// squeeze-excitation is called "block.<part>".
ConvNormNames NamesInBlock(int part, bool last);

struct InvertedResidualOptions {
  int64_t in;
  int64_t expanded;
  int64_t out;
  int64_t kernel;
  int64_t stride = 1;
  int64_t dilation = 1;  // of the k x k convolution
  bool by_size = false;  // pads the k x k convolution as TensorFlow does
  bool fused = false;
  int64_t squeezed = 0;  // channels between the two of the squeeze-excitation; 0: there is none
  Activation squeeze_activation = Activation::kRelu;
  Activation gate = Activation::kSigmoid;
  Activation activation = Activation::kRelu;
  double eps = 1e-5;
  double momentum = 0.1;
  double stochastic_depth = 0;  // probability of dropping the branch
  double gain = 1;              // factor on the recipes of all weights
  double branch_gain = 1;       // factor on the last norm's scale, where x is added
  InvertedResidualNames names = &NamesInBlock;
  bool timm_squeeze = false;  // the squeeze-excitation is called "se", and its layers as timm's
};

class InvertedResidual final : public Layer {
 public:
  InvertedResidual(Layer& parent, std::string name, const InvertedResidualOptions& options);

  at::Tensor Forward(const at::Tensor& x);

 private:
  std::vector<std::unique_ptr<ConvNormActivation>> before_;  // the squeeze-excitation
  std::unique_ptr<SqueezeExcitation> squeeze_excitation_;
  std::unique_ptr<ConvNormActivation> project_;
  StochasticDepth stochastic_depth_;
  std::unique_ptr<BranchSum> sum_;  // null: the branch alone
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_VISION_INVERTED_RESIDUAL_H_
