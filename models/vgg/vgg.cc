// VGG with and without batch norm as torchvision builds it (torchvision/models/vgg.py). Tensor
// names, order and shapes are torchvision's, so its checkpoints fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/max_pool2d.h>

#include <cstdint>
#include <iterator>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/batch_norm2d.h"
#include "models/layers/core/conv2d.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/vision/image_input.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr int64_t kStageWidths[] = {64, 128, 256, 512, 512};
constexpr int64_t kMinimumPixels = 32;  // each of the five stages halves the image
constexpr int64_t kPooled = 7;          // pixels a side behind the stages
constexpr int64_t kHidden = 4096;
constexpr double kDropout = 0.5;

// A 3x3 convolution, a norm behind it in the variants that have one, ReLU.
struct Convolution {
  std::unique_ptr<Conv2d> conv;
  std::unique_ptr<BatchNorm2d> norm;
  bool last_of_stage;
};

class Vgg final : public LayeredModel {
 public:
  Vgg(const char* implementation, const std::vector<int64_t>& convolutions, bool batch_norm,
      int64_t num_classes)
      : implementation_(implementation),
        convolutions_(MakeConvolutions(convolutions, batch_norm)),
        linear0_(*this, "classifier.0", {.in = 512 * kPooled * kPooled, .out = kHidden}),
        linear3_(*this, "classifier.3", {.in = kHidden, .out = kHidden}),
        linear6_(*this, "classifier.6", {.in = kHidden, .out = num_classes}) {}

  // Images (N, 3, H, W) -> logits (N, num_classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], implementation_, {.minimum = kMinimumPixels});
    at::Tensor x = inputs[0];
    for (const Convolution& convolution : convolutions_) {
      x = convolution.conv->Forward(x);
      if (convolution.norm) x = convolution.norm->Forward(x);
      x.relu_();
      if (convolution.last_of_stage) x = at::max_pool2d(x, {2, 2}, {2, 2});
    }
    x = at::adaptive_avg_pool2d(x, {kPooled, kPooled}).flatten(1);
    x = dropout_.Forward(linear0_.Forward(x).relu_());
    x = dropout_.Forward(linear3_.Forward(x).relu_());
    return {linear6_.Forward(x)};
  }

 private:
  std::vector<Convolution> MakeConvolutions(const std::vector<int64_t>& counts, bool batch_norm) {
    std::vector<Convolution> convolutions;
    int64_t in = 3;
    int number = 0;  // in a sequence that counts norms, ReLUs and poolings too
    for (size_t stage = 0; stage < counts.size(); ++stage) {
      const int64_t out = kStageWidths[stage];
      for (int64_t i = 1; i <= counts[stage]; ++i) {
        Convolution& convolution = convolutions.emplace_back();
        convolution.conv = std::make_unique<Conv2d>(
            *this, absl::StrCat("features.", number++),
            Conv2dOptions{.in = in, .out = out, .kernel = 3, .padding = 1, .bias = true});
        if (batch_norm) {
          convolution.norm = std::make_unique<BatchNorm2d>(
              *this, absl::StrCat("features.", number++), BatchNorm2dOptions{.channels = out});
        }
        ++number;
        convolution.last_of_stage = i == counts[stage];
        in = out;
      }
      ++number;
    }
    return convolutions;
  }

  const char* const implementation_;  // in messages
  std::vector<Convolution> convolutions_;
  Linear linear0_;
  Linear linear3_;
  Linear linear6_;
  Dropout dropout_{*this, kDropout};
};

template <bool kBatchNorm>
absl::StatusOr<std::unique_ptr<Model>> MakeVgg(const Parameters& parameters) {
  constexpr const char* kName = kBatchNorm ? "vgg_bn" : "vgg";
  const absl::Status status =
      CheckCount(kName, parameters, "convolutions", std::size(kStageWidths), "one for each stage");
  if (!status.ok()) return status;
  if (parameters.Flag("batch_norm") != kBatchNorm) {
    return absl::InvalidArgumentError(absl::StrCat(
        kName, ": vgg has no batch norm and vgg_bn has it, which batch_norm contradicts"));
  }
  return std::make_unique<Vgg>(kName, parameters.Integers("convolutions"), kBatchNorm,
                               parameters.Integer("num_classes"));
}

ASSAY_MODEL_IMPLEMENTATION("vgg", MakeVgg<false>);
ASSAY_MODEL_IMPLEMENTATION("vgg_bn", MakeVgg<true>);

}  // namespace
}  // namespace assay::models
