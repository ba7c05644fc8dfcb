// MNASNet (B1) as torchvision builds it (torchvision/models/mnasnet.py). Tensor names, order and
// shapes are torchvision's, so its checkpoints fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/mean.h>

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
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr double kDropout = 0.2;
constexpr double kMomentum = 1 - 0.9997;
constexpr int64_t kStem = 32;       // channels, before the multiplier as those below
constexpr int64_t kSeparable = 16;  // of the separable convolution behind the stem
constexpr int64_t kLast = 1280;     // in front of the classifier, whatever the multiplier
constexpr int64_t kFirstStage = 8;  // number of the first stage among the layers

struct Stage {
  int64_t channels;
  int64_t kernel;
  int64_t stride;  // of the first block
  int64_t expansion;
  int64_t blocks;
};

constexpr Stage kStages[] = {{24, 3, 2, 3, 3}, {40, 5, 2, 3, 3},  {80, 5, 2, 6, 3},
                             {96, 3, 1, 6, 2}, {192, 5, 2, 6, 4}, {320, 3, 1, 6, 1}};

// Norm and ReLU are counted, so each convolution is three numbers from the one before.
ConvNormNames Names(int part, bool /*last*/) {
  return {absl::StrCat("layers.", 3 * part), absl::StrCat("layers.", 3 * part + 1)};
}

class MnasNet final : public LayeredModel {
 public:
  MnasNet(double alpha, int64_t num_classes) {
    const int64_t stem = RoundedToEight(alpha * kStem);
    int64_t in = RoundedToEight(alpha * kSeparable);
    Add(Names(0, false), {.in = 3, .out = stem, .kernel = 3, .stride = 2, .momentum = kMomentum});
    Add(Names(1, false),
        {.in = stem, .out = stem, .kernel = 3, .groups = stem, .momentum = kMomentum});
    Add(Names(2, true),
        {.in = stem, .out = in, .activation = Activation::kNone, .momentum = kMomentum});
    int64_t number = kFirstStage;
    for (const Stage& stage : kStages) {
      const int64_t out = RoundedToEight(alpha * stage.channels);
      for (int64_t i = 0; i < stage.blocks; ++i) {
        blocks_.push_back(std::make_unique<InvertedResidual>(
            *this, absl::StrCat("layers.", number, ".", i),
            InvertedResidualOptions{.in = in,
                                    .expanded = in * stage.expansion,
                                    .out = out,
                                    .kernel = stage.kernel,
                                    .stride = i == 0 ? stage.stride : 1,
                                    .momentum = kMomentum,
                                    .names = &Names}));
        in = out;
      }
      ++number;
    }
    last_ = std::make_unique<ConvNormActivation>(
        *this, ConvNormNames{absl::StrCat("layers.", number), absl::StrCat("layers.", number + 1)},
        ConvNormActivationOptions{.in = in, .out = kLast, .momentum = kMomentum});
    classifier_ = std::make_unique<Linear>(*this, "classifier.1",
                                           LinearOptions{.in = kLast, .out = num_classes});
  }

  // Images (N, 3, H, W) -> logits (N, num_classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], "mnasnet", {});
    at::Tensor x = inputs[0];
    for (const std::unique_ptr<ConvNormActivation>& convolution : stem_) {
      x = convolution->Forward(x);
    }
    for (const std::unique_ptr<InvertedResidual>& block : blocks_) x = block->Forward(x);
    x = last_->Forward(x).mean({2, 3});
    return {classifier_->Forward(dropout_.Forward(x))};
  }

 private:
  void Add(const ConvNormNames& names, const ConvNormActivationOptions& options) {
    stem_.push_back(std::make_unique<ConvNormActivation>(*this, names, options));
  }

  std::vector<std::unique_ptr<ConvNormActivation>> stem_;
  std::vector<std::unique_ptr<InvertedResidual>> blocks_;
  std::unique_ptr<ConvNormActivation> last_;
  std::unique_ptr<Linear> classifier_;
  Dropout dropout_{*this, kDropout};
};

ASSAY_MODEL_IMPLEMENTATION(
    "mnasnet", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      return std::make_unique<MnasNet>(parameters.Real("alpha"), parameters.Integer("num_classes"));
    });

}  // namespace
}  // namespace assay::models
