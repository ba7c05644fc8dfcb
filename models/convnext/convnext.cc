// ConvNeXt as torchvision builds it (torchvision/models/convnext.py). Tensor names, order and shapes
// are torchvision's, so its checkpoints fit.

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/gradient.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/recipes.h"
#include "models/layers/sequence/residual_sum.h"
#include "models/layers/vision/convnext_body.h"
#include "models/layers/vision/stochastic_depth.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

// Convolution, norm, and two linear layers on each pixel's channels. The result is scaled by
// channel and added to the input.
class Block final : public ConvNextBlock {
 public:
  Block(Layer& parent, const ConvNextPlace& place, double stochastic_depth)
      : ConvNextBlock(parent, place, "block.0", "block.2"),
        widen_(*this, "block.3", {.in = place.channels, .out = 4 * place.channels}),
        narrow_(*this, "block.5", {.in = 4 * place.channels, .out = place.channels}),
        stochastic_depth_(*this, stochastic_depth) {
    AddParameter("layer_scale", {place.channels, 1, 1}, ScaleInit(), layer_scale_);
  }

  at::Tensor Forward(const at::Tensor& x) const override {
    at::Tensor y = norm_.Forward(conv_.Forward(x).permute({0, 2, 3, 1}));
    y = narrow_.Forward(Activate(Activation::kGelu, widen_.Forward(y))).permute({0, 3, 1, 2});
    y = AutogradRecords(y) ? y.mul(layer_scale_) : y.mul_(layer_scale_);
    return ResidualSum(stochastic_depth_.Forward(y), x);
  }

 private:
  Linear widen_;
  Linear narrow_;
  StochasticDepth stochastic_depth_;
  at::Tensor layer_scale_;  // (channels, 1, 1)
};

absl::StatusOr<std::unique_ptr<Model>> Make(const Parameters& parameters) {
  const double rate = parameters.Real("stochastic_depth");
  return MakeConvNext(
      parameters,
      {.family = "convnext",
       .stem = "features.0",
       .downsample = [](int64_t stage) { return absl::StrCat("features.", 2 * stage); },
       .block = [](int64_t stage,
                   int64_t block) { return absl::StrCat("features.", 2 * stage + 1, ".", block); },
       .norm = "classifier.0",
       .linear = "classifier.2"},
      [rate](Layer& parent, const ConvNextPlace& place) {
        return std::make_unique<Block>(parent, place,
                                       StochasticDepthProbability(rate, place.block, place.last));
      });
}

ASSAY_MODEL_IMPLEMENTATION("convnext", Make);

}  // namespace
}  // namespace assay::models
