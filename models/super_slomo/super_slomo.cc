// Super SloMo (https://arxiv.org/abs/1712.00080) as avinashpaliwal/Super-SloMo builds it: a frame
// between two others. A U-Net finds how pixels flow from one to the other, a second one corrects
// the flows to the frame between them. Tensor names, order and shapes are that repository's.

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/avg_pool2d.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/grid_sampler.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/upsample_bilinear2d.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/conv2d.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/vision/image_input.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr int kHalvings = 5;
constexpr int64_t kFrames = 7;  // between the two, at eighths of the time
constexpr int64_t kImages = 6;  // channels of two frames
constexpr int64_t kFlows = 4;   // channels: right and down, there and back
// Factor on the weights' recipe, for what activations take away.
constexpr double kGain = std::numbers::sqrt2;
// The same behind a mean of four pixels, which halves the differences between pixels.
constexpr double kPooledGain = 2 * kGain;

class Convolution final {
 public:
  Convolution(Layer& parent, const char* name, int64_t in, int64_t out, int64_t kernel,
              double gain = kGain)
      : conv_(parent, name,
              {.in = in,
               .out = out,
               .kernel = kernel,
               .padding = kernel / 2,
               .bias = true,
               .gain = gain}) {}

  at::Tensor Forward(const at::Tensor& x) const {
    return Activate(Activation::kLeakyRelu, conv_.Forward(x));
  }

 private:
  Conv2d conv_;
};

class Down final : public Layer {
 public:
  Down(Layer& parent, std::string name, int64_t in, int64_t out, int64_t kernel)
      : Layer(parent, std::move(name)),
        conv1_(*this, "conv1", in, out, kernel, kPooledGain),
        conv2_(*this, "conv2", out, out, kernel) {}

  at::Tensor Forward(const at::Tensor& x) const {
    return conv2_.Forward(conv1_.Forward(at::avg_pool2d(x, {2, 2})));
  }

 private:
  Convolution conv1_;
  Convolution conv2_;
};

// Doubles the image, and adds the features that were there before it was halved.
class Up final : public Layer {
 public:
  Up(Layer& parent, std::string name, int64_t in, int64_t out)
      : Layer(parent, std::move(name)),
        conv1_(*this, "conv1", in, out, 3),
        conv2_(*this, "conv2", 2 * out, out, 3) {}

  at::Tensor Forward(const at::Tensor& x, const at::Tensor& beside) const {
    const at::Tensor doubled = at::upsample_bilinear2d(x, {2 * x.size(2), 2 * x.size(3)},
                                                       /*align_corners=*/false);
    return conv2_.Forward(at::concat({conv1_.Forward(doubled), beside}, 1));
  }

 private:
  Convolution conv1_;
  Convolution conv2_;
};

class UNet final : public Layer {
 public:
  UNet(Layer& parent, std::string name, int64_t in, int64_t out, int64_t channels)
      : Layer(parent, std::move(name)),
        conv1_(*this, "conv1", in, channels, 7),
        conv2_(*this, "conv2", channels, channels, 7) {
    const auto width = [&](int halvings) { return channels << std::min(halvings, kHalvings - 1); };
    for (int i = 1; i <= kHalvings; ++i) {
      down_.push_back(std::make_unique<Down>(*this, absl::StrCat("down", i), width(i - 1), width(i),
                                             i == 1 ? 5 : 3));
    }
    for (int i = kHalvings; i >= 1; --i) {
      up_.push_back(std::make_unique<Up>(*this, absl::StrCat("up", kHalvings + 1 - i), width(i),
                                         width(i - 1)));
    }
    conv3_ = std::make_unique<Convolution>(*this, "conv3", channels, out, 3);
  }

  // (N, in, H, W) of sides that are multiples of 32 -> (N, out, H, W).
  at::Tensor Forward(const at::Tensor& images) const {
    at::Tensor x = conv2_.Forward(conv1_.Forward(images));
    std::vector<at::Tensor> beside;
    for (const std::unique_ptr<Down>& down : down_) {
      beside.push_back(x);
      x = down->Forward(x);
    }
    for (const std::unique_ptr<Up>& up : up_) {
      x = up->Forward(x, beside.back());
      beside.pop_back();
    }
    return conv3_->Forward(x);
  }

 private:
  Convolution conv1_;
  Convolution conv2_;
  std::vector<std::unique_ptr<Down>> down_;
  std::vector<std::unique_ptr<Up>> up_;
  std::unique_ptr<Convolution> conv3_;
};

// Each pixel of the result is taken from where the flow (N, 2, H, W) points to, right and down in pixels.
// Beside the image (N, 3, H, W) there are zeros. The repository divides by the side, not by the side less one.
at::Tensor Warped(const at::Tensor& image, const at::Tensor& flow) {
  const int64_t height = image.size(2), width = image.size(3);
  const at::Tensor x = at::arange(width, flow.options()) + flow.select(1, 0);
  const at::Tensor y = at::arange(height, flow.options()).unsqueeze(1) + flow.select(1, 1);
  const at::Tensor grid = at::stack({2 * (x / width - 0.5), 2 * (y / height - 0.5)}, 3);
  return at::grid_sampler(image, grid, /*interpolation_mode=*/0, /*padding_mode=*/0,
                          /*align_corners=*/false);
}

class SuperSlomo final : public LayeredModel {
 public:
  explicit SuperSlomo(int64_t channels)
      : flow_(*this, "flowComp", kImages, kFlows, channels),
        correction_(*this, "ArbTimeFlowIntrp", 2 * kImages + 2 * kFlows, kFlows + 1, channels) {}

  // Frames (N, 3, H, W) before and after, and int64 (N) numbers from 0 to 6 -> the frames (N, 3, H, W)
  // at (number + 1) / 8 of the time between them.
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    const at::Tensor &before = inputs[0], &after = inputs[1];
    CheckImage(before, "super_slomo", {.minimum = 1 << kHalvings, .multiple_of = 1 << kHalvings});
    TORCH_CHECK_VALUE(after.sizes() == before.sizes(), "super_slomo: the frame after is ",
                      after.sizes(), "; want ", before.sizes(), ", as the frame before");
    const at::Tensor times = at::arange(1, kFrames + 1, before.options()).div_(kFrames + 1);
    const at::Tensor t = times.index_select(0, inputs[2]).view({-1, 1, 1, 1}), rest = 1 - t;

    const at::Tensor flows = flow_.Forward(at::concat({before, after}, 1));
    const at::Tensor there = flows.narrow(1, 0, 2), back = flows.narrow(1, 2, 2);
    const at::Tensor to_before = t * t * back - rest * t * there;
    const at::Tensor to_after = rest * rest * there - t * rest * back;
    const at::Tensor corrected =
        correction_.Forward(at::concat({before, after, there, back, to_after, to_before,
                                        Warped(after, to_after), Warped(before, to_before)},
                                       1));
    // The share of the frame before in each pixel.
    const at::Tensor seen = corrected.narrow(1, 4, 1).sigmoid();
    const at::Tensor of_before = rest * seen, of_after = t * (1 - seen);
    return {(of_before * Warped(before, corrected.narrow(1, 0, 2) + to_before) +
             of_after * Warped(after, corrected.narrow(1, 2, 2) + to_after)) /
            (of_before + of_after)};
  }

 private:
  UNet flow_;
  UNet correction_;
};

ASSAY_MODEL_IMPLEMENTATION(
    "super_slomo", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      return std::make_unique<SuperSlomo>(parameters.Integer("channels"));
    });

}  // namespace
}  // namespace assay::models
