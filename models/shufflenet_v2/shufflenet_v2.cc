// ShuffleNetV2 as torchvision builds it (torchvision/models/shufflenetv2.py). Tensor names, order and
// shapes are torchvision's, so its checkpoints fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/mean.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/vision/conv_norm_activation.h"
#include "models/layers/vision/image_input.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr int64_t kStageBlocks[] = {4, 8, 4};

// Two halves of the channels, of which each takes every other one of the result.
at::Tensor Shuffled(const at::Tensor& first, const at::Tensor& second) {
  const at::Tensor x = at::concat({first, second}, 1);
  const int64_t channels = x.size(1);
  return x.view({x.size(0), 2, channels / 2, x.size(2), x.size(3)})
      .transpose(1, 2)
      .contiguous()
      .view(x.sizes());
}

// A block that halves the image works on all channels in both branches; the others work on one half
// and pass on the other.
class Block final : public Layer {
 public:
  Block(Layer& parent, std::string name, int64_t in, int64_t out, int64_t stride)
      : Layer(parent, std::move(name)) {
    const int64_t half = out / 2;
    if (stride > 1) {
      // No ReLU behind a depthwise convolution; the other convolutions' are counted among the names.
      Add(branch1_, {"branch1.0", "branch1.1"}, Depthwise(in, stride));
      Add(branch1_, {"branch1.2", "branch1.3"}, {.in = in, .out = half});
    }
    Add(branch2_, {"branch2.0", "branch2.1"}, {.in = stride > 1 ? in : half, .out = half});
    Add(branch2_, {"branch2.3", "branch2.4"}, Depthwise(half, stride));
    Add(branch2_, {"branch2.5", "branch2.6"}, {.in = half, .out = half});
  }

  at::Tensor Forward(const at::Tensor& x) {
    if (!branch1_.empty()) return Shuffled(Run(branch1_, x), Run(branch2_, x));
    const int64_t half = x.size(1) / 2;
    return Shuffled(x.narrow(1, 0, half), Run(branch2_, x.narrow(1, half, half)));
  }

 private:
  using Branch = std::vector<std::unique_ptr<ConvNormActivation>>;

  static ConvNormActivationOptions Depthwise(int64_t channels, int64_t stride) {
    return {.in = channels,
            .out = channels,
            .kernel = 3,
            .stride = stride,
            .groups = channels,
            .activation = Activation::kNone};
  }

  void Add(Branch& branch, const ConvNormNames& names, const ConvNormActivationOptions& options) {
    branch.push_back(std::make_unique<ConvNormActivation>(*this, names, options));
  }

  static at::Tensor Run(Branch& branch, at::Tensor x) {
    for (std::unique_ptr<ConvNormActivation>& convolution : branch) x = convolution->Forward(x);
    return x;
  }

  Branch branch1_;  // empty where its half is passed on
  Branch branch2_;
};

class ShuffleNetV2 final : public LayeredModel {
 public:
  ShuffleNetV2(const std::vector<int64_t>& channels, int64_t num_classes)
      : stem_(*this, NamesInSequence("conv1"),
              {.in = 3, .out = channels[0], .kernel = 3, .stride = 2}),
        blocks_(MakeBlocks(channels)),
        last_(*this, NamesInSequence("conv5"), {.in = channels[3], .out = channels[4]}),
        fc_(*this, "fc", {.in = channels[4], .out = num_classes}) {}

  // Images (N, 3, H, W) -> logits (N, num_classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], "shufflenet_v2", {});
    at::Tensor x = at::max_pool2d(stem_.Forward(inputs[0]), {3, 3}, {2, 2}, {1, 1});
    for (const std::unique_ptr<Block>& block : blocks_) x = block->Forward(x);
    return {fc_.Forward(last_.Forward(x).mean({2, 3}))};
  }

 private:
  std::vector<std::unique_ptr<Block>> MakeBlocks(const std::vector<int64_t>& channels) {
    std::vector<std::unique_ptr<Block>> blocks;
    for (int stage = 1; stage <= 3; ++stage) {
      for (int64_t i = 0; i < kStageBlocks[stage - 1]; ++i) {
        blocks.push_back(std::make_unique<Block>(*this, absl::StrCat("stage", stage + 1, ".", i),
                                                 channels[i == 0 ? stage - 1 : stage],
                                                 channels[stage], i == 0 ? 2 : 1));
      }
    }
    return blocks;
  }

  ConvNormActivation stem_;
  std::vector<std::unique_ptr<Block>> blocks_;
  ConvNormActivation last_;
  Linear fc_;
};

ASSAY_MODEL_IMPLEMENTATION(
    "shufflenet_v2", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const absl::Status status = CheckCount("shufflenet_v2", parameters, "channels", 5,
                                             "of stem, three stages and last convolution");
      if (!status.ok()) return status;
      const std::vector<int64_t>& channels = parameters.Integers("channels");
      for (int stage = 1; stage <= 3; ++stage) {
        if (channels[stage] % 2 != 0) {
          return absl::InvalidArgumentError(absl::StrCat(
              "shufflenet_v2: a stage has ", channels[stage], " channels; want an even number"));
        }
      }
      return std::make_unique<ShuffleNetV2>(channels, parameters.Integer("num_classes"));
    });

}  // namespace
}  // namespace assay::models
