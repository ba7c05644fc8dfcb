// MobileNetV2 as torchvision builds it (torchvision/models/mobilenetv2.py). Tensor names, order and
// shapes are torchvision's, so its checkpoints fit.

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/vision/conv_norm_activation.h"
#include "models/layers/vision/image_input.h"
#include "models/layers/vision/inverted_residual.h"
#include "models/layers/vision/sums.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr double kDropout = 0.2;
constexpr int64_t kStem = 32;
constexpr int64_t kLast = 1280;  // channels in front of the classifier

struct Stage {
  int64_t expansion;
  int64_t channels;
  int64_t blocks;
  int64_t stride;  // of the first block
};

constexpr Stage kStages[] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                             {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};

// The projection's two layers are not nested as those of the other convolutions are.
ConvNormNames Names(int part, bool last) {
  if (last) return {absl::StrCat("conv.", part), absl::StrCat("conv.", part + 1)};
  return NamesInSequence(absl::StrCat("conv.", part));
}

class MobileNetV2 final : public LayeredModel {
 public:
  explicit MobileNetV2(int64_t num_classes)
      : stem_(*this, NamesInSequence("features.0"),
              {.in = 3, .out = kStem, .kernel = 3, .stride = 2, .activation = Activation::kRelu6}) {
    int64_t in = kStem;
    for (const Stage& stage : kStages) {
      for (int64_t i = 0; i < stage.blocks; ++i) {
        blocks_.push_back(std::make_unique<InvertedResidual>(
            *this, absl::StrCat("features.", blocks_.size() + 1),
            InvertedResidualOptions{.in = in,
                                    .expanded = in * stage.expansion,
                                    .out = stage.channels,
                                    .kernel = 3,
                                    .stride = i == 0 ? stage.stride : 1,
                                    .activation = Activation::kRelu6,
                                    .names = &Names}));
        in = stage.channels;
      }
    }
    last_ = std::make_unique<ConvNormActivation>(
        *this, NamesInSequence(absl::StrCat("features.", blocks_.size() + 1)),
        ConvNormActivationOptions{.in = in, .out = kLast, .activation = Activation::kRelu6});
    classifier_ = std::make_unique<Linear>(*this, "classifier.1",
                                           LinearOptions{.in = kLast, .out = num_classes});
  }

  // Images (N, 3, H, W) -> logits (N, num_classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], "mobilenet_v2", {});
    at::Tensor x = stem_.Forward(inputs[0]);
    for (const std::unique_ptr<InvertedResidual>& block : blocks_) x = block->Forward(x);
    x = mean_.Forward(last_->Forward(x));
    return {classifier_->Forward(dropout_.Forward(x))};
  }

 private:
  bool TakesIntegers() const override { return true; }

  ConvNormActivation stem_;
  std::vector<std::unique_ptr<InvertedResidual>> blocks_;
  std::unique_ptr<ConvNormActivation> last_;
  PixelMean mean_{*this};
  std::unique_ptr<Linear> classifier_;
  Dropout dropout_{*this, kDropout};
};

ASSAY_MODEL_IMPLEMENTATION(
    "mobilenet_v2", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      return std::make_unique<MobileNetV2>(parameters.Integer("num_classes"));
    });

}  // namespace
}  // namespace assay::models
