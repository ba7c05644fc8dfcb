// AlexNet as torchvision builds it (torchvision/models/alexnet.py, the "one weird trick" variant).
// Tensor names, order and shapes are torchvision's, so its checkpoints fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/max_pool2d.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "models/layers/core/conv2d.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/vision/image_input.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr int64_t kMinimumPixels = 63;  // fewer, and the third pooling has nothing left
constexpr int64_t kPooled = 6;          // pixels a side behind the convolutions
constexpr int64_t kHidden = 4096;
constexpr double kDropout = 0.5;

class AlexNet final : public LayeredModel {
 public:
  explicit AlexNet(int64_t num_classes)
      : conv0_(*this, "features.0",
               {.in = 3, .out = 64, .kernel = 11, .stride = 4, .padding = 2, .bias = true}),
        conv3_(*this, "features.3",
               {.in = 64, .out = 192, .kernel = 5, .padding = 2, .bias = true}),
        conv6_(*this, "features.6",
               {.in = 192, .out = 384, .kernel = 3, .padding = 1, .bias = true}),
        conv8_(*this, "features.8",
               {.in = 384, .out = 256, .kernel = 3, .padding = 1, .bias = true}),
        conv10_(*this, "features.10",
                {.in = 256, .out = 256, .kernel = 3, .padding = 1, .bias = true}),
        linear1_(*this, "classifier.1", {.in = 256 * kPooled * kPooled, .out = kHidden}),
        linear4_(*this, "classifier.4", {.in = kHidden, .out = kHidden}),
        linear6_(*this, "classifier.6", {.in = kHidden, .out = num_classes}) {}

  // Images (N, 3, H, W) -> logits (N, num_classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], "alexnet", {.minimum = kMinimumPixels});
    at::Tensor x = at::max_pool2d(conv0_.Forward(inputs[0]).relu_(), {3, 3}, {2, 2});
    x = at::max_pool2d(conv3_.Forward(x).relu_(), {3, 3}, {2, 2});
    x = conv6_.Forward(x).relu_();
    x = conv8_.Forward(x).relu_();
    x = at::max_pool2d(conv10_.Forward(x).relu_(), {3, 3}, {2, 2});
    x = at::adaptive_avg_pool2d(x, {kPooled, kPooled}).flatten(1);
    x = linear1_.Forward(dropout_.Forward(x)).relu_();
    x = linear4_.Forward(dropout_.Forward(x)).relu_();
    return {linear6_.Forward(x)};
  }

 private:
  Conv2d conv0_;
  Conv2d conv3_;
  Conv2d conv6_;
  Conv2d conv8_;
  Conv2d conv10_;
  Linear linear1_;
  Linear linear4_;
  Linear linear6_;
  Dropout dropout_{*this, kDropout};
};

ASSAY_MODEL_IMPLEMENTATION(
    "alexnet", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      return std::make_unique<AlexNet>(parameters.Integer("num_classes"));
    });

}  // namespace
}  // namespace assay::models
