// SqueezeNet 1.0 and 1.1 as torchvision builds them (torchvision/models/squeezenet.py). Tensor
// names, order and shapes are torchvision's, so its checkpoints fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/max_pool2d.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <numbers>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/conv2d.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/vision/image_input.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr double kDropout = 0.5;

// Factor on the weights' recipe: half of a ReLU's input is lost, and there are no norms. Without it
// biases drown the image, of which the output then tells 0.2 % of its standard deviation.
constexpr double kGain = std::numbers::sqrt2;

struct Version {
  int64_t minimum_pixels;  // fewer, and the last pooling has nothing left
  Conv2dOptions stem;
  std::set<size_t> halved;  // fire modules in front of which the image is halved
};

const std::map<std::string, Version>& Versions() {
  static const auto* versions = new std::map<std::string, Version>{
      {"1_0",
       {.minimum_pixels = 21,
        .stem = {.in = 3, .out = 96, .kernel = 7, .stride = 2, .bias = true, .gain = kGain},
        .halved = {0, 3, 7}}},
      {"1_1",
       {.minimum_pixels = 17,
        .stem = {.in = 3, .out = 64, .kernel = 3, .stride = 2, .bias = true, .gain = kGain},
        .halved = {0, 2, 4}}},
  };
  return *versions;
}

// Each fire module's channels between its two parts, and in each half of its output.
constexpr std::pair<int64_t, int64_t> kFires[] = {{16, 64},  {16, 64},  {32, 128}, {32, 128},
                                                  {48, 192}, {48, 192}, {64, 256}, {64, 256}};

// A 1x1 convolution that squeezes, then a 1x1 and a 3x3 one side by side that expand.
class Fire final : public Layer {
 public:
  Fire(Layer& parent, std::string name, int64_t in, int64_t squeezed, int64_t expanded)
      : Layer(parent, std::move(name)),
        squeeze_(*this, "squeeze",
                 {.in = in, .out = squeezed, .kernel = 1, .bias = true, .gain = kGain}),
        expand1x1_(*this, "expand1x1",
                   {.in = squeezed, .out = expanded, .kernel = 1, .bias = true, .gain = kGain}),
        expand3x3_(*this, "expand3x3",
                   {.in = squeezed,
                    .out = expanded,
                    .kernel = 3,
                    .padding = 1,
                    .bias = true,
                    .gain = kGain}) {}

  at::Tensor Forward(const at::Tensor& x) const {
    const at::Tensor squeezed = squeeze_.Forward(x).relu_();
    return at::concat({expand1x1_.Forward(squeezed), expand3x3_.Forward(squeezed)}, 1).relu_();
  }

 private:
  Conv2d squeeze_;
  Conv2d expand1x1_;
  Conv2d expand3x3_;
};

class SqueezeNet final : public LayeredModel {
 public:
  SqueezeNet(const Version& version, int64_t num_classes)
      : minimum_pixels_(version.minimum_pixels),
        stem_(*this, "features.0", version.stem),
        fires_(MakeFires(version)),
        conv_(*this, "classifier.1",
              {.in = 512, .out = num_classes, .kernel = 1, .bias = true, .gain = kGain}) {}

  // Images (N, 3, H, W) -> logits (N, num_classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], "squeezenet", {.minimum = minimum_pixels_});
    at::Tensor x = stem_.Forward(inputs[0]).relu_();
    for (const std::unique_ptr<Fire>& fire : fires_) {
      x = fire ? fire->Forward(x)
               : at::max_pool2d(x, {3, 3}, {2, 2}, /*padding=*/{0, 0}, /*dilation=*/{1, 1},
                                /*ceil_mode=*/true);
    }
    x = conv_.Forward(dropout_.Forward(x)).relu_();
    return {at::adaptive_avg_pool2d(x, {1, 1}).flatten(1)};
  }

 private:
  std::vector<std::unique_ptr<Fire>> MakeFires(const Version& version) {
    std::vector<std::unique_ptr<Fire>> fires;
    int64_t in = version.stem.out;
    for (size_t i = 0; i < std::size(kFires); ++i) {
      if (version.halved.contains(i)) fires.emplace_back();
      const auto [squeezed, expanded] = kFires[i];
      // The stem and its ReLU have the numbers 0 and 1.
      const std::string name = absl::StrCat("features.", fires.size() + 2);
      fires.push_back(std::make_unique<Fire>(*this, name, in, squeezed, expanded));
      in = 2 * expanded;
    }
    return fires;
  }

  int64_t minimum_pixels_;
  Conv2d stem_;
  std::vector<std::unique_ptr<Fire>> fires_;  // null where the image is halved
  Conv2d conv_;
  Dropout dropout_{*this, kDropout};
};

ASSAY_MODEL_IMPLEMENTATION(
    "squeezenet", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      return std::make_unique<SqueezeNet>(Versions().at(parameters.Text("version")),
                                          parameters.Integer("num_classes"));
    });

}  // namespace
}  // namespace assay::models
