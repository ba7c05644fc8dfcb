// The U-Net of milesial/Pytorch-UNet: padded convolutions with norms, so that the scores have the
// image's size. Tensor names, order and shapes are that repository's, so its checkpoints fit; its
// convolutions have no biases since they got norms behind them (TorchBench's copy is older and has
// them).

#include <ATen/core/Tensor.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/upsample_bilinear2d.h>

#include <cstdint>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/conv2d.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/vision/conv_norm_activation.h"
#include "models/layers/vision/conv_transpose2d.h"
#include "models/layers/vision/image_input.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr int64_t kWidth = 64;  // channels at the image's own size; they double where it is halved
constexpr int kHalvings = 4;
constexpr int64_t kMinimumPixels = 1 << kHalvings;
// Factor on the weights' recipe, for what ReLU takes away: without it biases drown the image, and a
// change of a weight at the bottom by 1 % moves the output by 8e-5 of its standard deviation.
constexpr double kGain = std::numbers::sqrt2;

// Two 3x3 convolutions.
class DoubleConvolution final : public Layer {
 public:
  DoubleConvolution(Layer& parent, std::string name, int64_t in, int64_t between, int64_t out)
      : Layer(parent, std::move(name)),
        first_(*this, {"double_conv.0", "double_conv.1"},
               {.in = in, .out = between, .kernel = 3, .gain = kGain}),
        second_(*this, {"double_conv.3", "double_conv.4"},
                {.in = between, .out = out, .kernel = 3, .gain = kGain}) {}

  at::Tensor Forward(const at::Tensor& x) { return second_.Forward(first_.Forward(x)); }

 private:
  ConvNormActivation first_;
  ConvNormActivation second_;
};

// Doubles the image, and adds the features that were there before it was halved.
class Up final : public Layer {
 public:
  // `in` channels from below and beside together.
  Up(Layer& parent, std::string name, int64_t in, int64_t out, bool bilinear)
      : Layer(parent, std::move(name)),
        up_(bilinear ? nullptr
                     : std::make_unique<ConvTranspose2d>(
                           *this, "up",
                           ConvTranspose2dOptions{
                               .in = in, .out = in / 2, .kernel = 2, .stride = 2, .bias = true})),
        conv_(*this, "conv", in, bilinear ? in / 2 : out, out) {}

  at::Tensor Forward(const at::Tensor& x, const at::Tensor& beside) {
    at::Tensor up = up_ ? up_->Forward(x)
                        : at::upsample_bilinear2d(x, {2 * x.size(2), 2 * x.size(3)},
                                                  /*align_corners=*/true);
    // If an odd side was halved, a pixel is missing.
    const int64_t rows = beside.size(2) - up.size(2), columns = beside.size(3) - up.size(3);
    if (rows > 0 || columns > 0) {
      up = at::constant_pad_nd(up, {columns / 2, columns - columns / 2, rows / 2, rows - rows / 2});
    }
    return conv_.Forward(at::concat({beside, up}, 1));
  }

 private:
  std::unique_ptr<ConvTranspose2d> up_;  // null: bilinear
  DoubleConvolution conv_;
};

class UNet final : public LayeredModel {
 public:
  UNet(bool bilinear, int64_t num_classes)
      : first_(*this, "inc", 3, kWidth, kWidth),
        down_(MakeDown(bilinear)),
        up_(MakeUp(bilinear)),
        scores_(*this, "outc.conv", {.in = kWidth, .out = num_classes, .kernel = 1, .bias = true}) {
  }

  // Images (N, 3, H, W) -> logits (N, num_classes, H, W).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], "unet", {.minimum = kMinimumPixels});
    at::Tensor x = first_.Forward(inputs[0]);
    std::vector<at::Tensor> beside;
    for (const std::unique_ptr<DoubleConvolution>& down : down_) {
      beside.push_back(x);
      x = down->Forward(at::max_pool2d(x, {2, 2}, {2, 2}));
    }
    for (const std::unique_ptr<Up>& up : up_) {
      x = up->Forward(x, beside.back());
      beside.pop_back();
    }
    return {scores_.Forward(x)};
  }

 private:
  // Bilinear interpolation cannot halve the channels, so what is below has half as many.
  std::vector<std::unique_ptr<DoubleConvolution>> MakeDown(bool bilinear) {
    std::vector<std::unique_ptr<DoubleConvolution>> made;
    for (int i = 1; i <= kHalvings; ++i) {
      const int64_t out = (kWidth << i) / (bilinear && i == kHalvings ? 2 : 1);
      made.push_back(std::make_unique<DoubleConvolution>(
          *this, absl::StrCat("down", i, ".maxpool_conv.1"), kWidth << (i - 1), out, out));
    }
    return made;
  }

  std::vector<std::unique_ptr<Up>> MakeUp(bool bilinear) {
    std::vector<std::unique_ptr<Up>> made;
    for (int i = kHalvings; i >= 1; --i) {
      const int64_t out = (kWidth << (i - 1)) / (bilinear && i > 1 ? 2 : 1);
      made.push_back(std::make_unique<Up>(*this, absl::StrCat("up", kHalvings + 1 - i), kWidth << i,
                                          out, bilinear));
    }
    return made;
  }

  DoubleConvolution first_;
  std::vector<std::unique_ptr<DoubleConvolution>> down_;
  std::vector<std::unique_ptr<Up>> up_;
  Conv2d scores_;
};

ASSAY_MODEL_IMPLEMENTATION(
    "unet", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      return std::make_unique<UNet>(parameters.Flag("bilinear"), parameters.Integer("num_classes"));
    });

}  // namespace
}  // namespace assay::models
