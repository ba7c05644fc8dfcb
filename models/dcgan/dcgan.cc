// Both networks of the DCGAN example of pytorch/examples (dcgan/main.py). Tensor names, order and
// shapes are the example's, so what it saves fits.

#include <ATen/core/Tensor.h>
#include <ATen/ops/leaky_relu.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <memory>
#include <numbers>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/batch_norm2d.h"
#include "models/layers/core/conv2d.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/vision/conv_transpose2d.h"
#include "models/layers/vision/image_input.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr int64_t kPixels = 64;
constexpr int64_t kKernel = 4;
constexpr int kHalvings = 4;  // from the image to 4 x 4 pixels
constexpr double kSlope = 0.2;
// Factor on the recipe of the generator's first weight: it starts from a single pixel, so that one of
// its 16 taps meets in each pixel.
constexpr double kFirstGain = 4;
// And on those of the discriminator's weights, for what its activations take away.
constexpr double kDiscriminatorGain = std::numbers::sqrt2;

// Channels where the image has been halved so many times.
int64_t Width(int64_t features, int halvings) {
  return halvings == 0 ? 3 : features << (halvings - 1);
}

class Generator final : public LayeredModel {
 public:
  Generator(int64_t latent, int64_t features) : latent_(latent) {
    int number = 0;  // in a sequence that counts norms and ReLUs too
    const auto convolve = [&](int64_t in, int64_t out, int64_t stride, double gain) {
      convs_.push_back(
          std::make_unique<ConvTranspose2d>(*this, absl::StrCat("main.", number++),
                                            ConvTranspose2dOptions{.in = in,
                                                                   .out = out,
                                                                   .kernel = kKernel,
                                                                   .stride = stride,
                                                                   .padding = stride == 1 ? 0 : 1,
                                                                   .gain = gain}));
    };
    convolve(latent, Width(features, kHalvings), 1, kFirstGain);
    for (int halvings = kHalvings; halvings > 0; --halvings) {
      norms_.push_back(
          std::make_unique<BatchNorm2d>(*this, absl::StrCat("main.", number++),
                                        BatchNorm2dOptions{.channels = Width(features, halvings)}));
      ++number;
      convolve(Width(features, halvings), Width(features, halvings - 1), 2, 1);
    }
  }

  // Noise (N, latent, 1, 1) -> images (N, 3, 64, 64) between -1 and 1.
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    const at::Tensor& noise = inputs[0];
    TORCH_CHECK_VALUE(
        noise.dim() == 4 && noise.sizes().slice(1) == at::IntArrayRef({latent_, 1, 1}),
        "dcgan_generator: the noise is ", noise.sizes(), "; want (N, ", latent_, ", 1, 1)");
    at::Tensor x = convs_[0]->Forward(noise);
    for (size_t i = 0; i < norms_.size(); ++i) {
      x = convs_[i + 1]->Forward(norms_[i]->Forward(x).relu_());
    }
    return {x.tanh_()};
  }

 private:
  int64_t latent_;
  std::vector<std::unique_ptr<ConvTranspose2d>> convs_;
  std::vector<std::unique_ptr<BatchNorm2d>> norms_;  // behind all but the last
};

class Discriminator final : public LayeredModel {
 public:
  explicit Discriminator(int64_t features) {
    int number = 0;  // in a sequence that counts norms and activations too
    const auto convolve = [&](int64_t in, int64_t out, int64_t stride) {
      convs_.push_back(std::make_unique<Conv2d>(*this, absl::StrCat("main.", number++),
                                                Conv2dOptions{.in = in,
                                                              .out = out,
                                                              .kernel = kKernel,
                                                              .stride = stride,
                                                              .padding = stride == 1 ? 0 : 1,
                                                              .gain = kDiscriminatorGain}));
    };
    for (int halvings = 0; halvings < kHalvings; ++halvings) {
      const int64_t out = Width(features, halvings + 1);
      convolve(Width(features, halvings), out, 2);
      norms_.push_back(halvings == 0
                           ? nullptr
                           : std::make_unique<BatchNorm2d>(*this, absl::StrCat("main.", number++),
                                                           BatchNorm2dOptions{.channels = out}));
      ++number;
    }
    convolve(Width(features, kHalvings), 1, 1);
  }

  // Images (N, 3, 64, 64) -> the probability (N) that each is a real one.
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], "dcgan_discriminator", {.minimum = kPixels, .maximum = kPixels});
    at::Tensor x = inputs[0];
    for (size_t i = 0; i < norms_.size(); ++i) {
      x = convs_[i]->Forward(x);
      if (norms_[i]) x = norms_[i]->Forward(x);
      at::leaky_relu_(x, kSlope);
    }
    return {convs_.back()->Forward(x).flatten().sigmoid_()};
  }

 private:
  std::vector<std::unique_ptr<Conv2d>> convs_;
  std::vector<std::unique_ptr<BatchNorm2d>> norms_;  // behind all but the last; the first is null
};

ASSAY_MODEL_IMPLEMENTATION(
    "dcgan_generator", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      return std::make_unique<Generator>(parameters.Integer("latent_features"),
                                         parameters.Integer("features"));
    });

ASSAY_MODEL_IMPLEMENTATION("dcgan_discriminator",
                           [](const Parameters& parameters)
                               -> absl::StatusOr<std::unique_ptr<Model>> {
                             return std::make_unique<Discriminator>(parameters.Integer("features"));
                           });

}  // namespace
}  // namespace assay::models
