// The generators of CycleGAN (junyanz/pytorch-CycleGAN-and-pix2pix, ResnetGenerator) and StarGAN
// (yunjey/stargan), which make images of images. Tensor names, order and shapes are those of the
// repositories, so their checkpoints fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/concat.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/vision/image_input.h"
#include "models/layers/vision/image_to_image.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

// The differences of the two generators. Padding by reflection counts as a layer of its sequence.
struct Style {
  const char* family;
  const char* sequence;        // its name
  const char* block_sequence;  // its name within a block
  StepNorm norm;
  bool reflects;   // pads by reflection where the image keeps its size; convolutions have biases
  int64_t kernel;  // where the image is halved or doubled
};

class Generator final : public LayeredModel {
 public:
  // Each image has `labels` numbers, or none. Each of them becomes a channel of the input.
  Generator(const Style& style, int64_t channels, int64_t blocks, int64_t labels)
      : style_(style), labels_(labels) {
    int number = style.reflects ? 1 : 0;
    const auto add = [&](ConvolutionSteps& steps, StepOptions options) {
      options.bias = style.reflects;
      options.norm = options.relu ? style.norm : StepNorm::kNone;
      steps.push_back(std::make_unique<ConvolutionStep>(*this, style.sequence, number, options));
      number += 3;
    };
    add(before_, {.in = 3 + labels, .out = channels, .kernel = 7, .reflects = style.reflects});
    for (const int64_t c : {channels, 2 * channels}) {
      add(before_, {.in = c, .out = 2 * c, .kernel = style.kernel, .stride = 2});
    }
    blocks_ = MakeImageBlocks(*this, style.sequence, number, blocks, style.block_sequence,
                              {.in = 4 * channels,
                               .out = 4 * channels,
                               .reflects = style.reflects,
                               .bias = style.reflects,
                               .norm = style.norm});
    number += static_cast<int>(blocks);
    for (const int64_t c : {4 * channels, 2 * channels}) {
      add(after_, {.in = c, .out = c / 2, .kernel = style.kernel, .doubles = true});
    }
    if (style.reflects) ++number;
    add(after_, {.in = channels, .out = 3, .kernel = 7, .reflects = style.reflects, .relu = false});
  }

  // Images (N, 3, H, W), and labels (N, labels) if there are any -> images (N, 3, H, W) between -1 and 1.
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    at::Tensor x = inputs[0];
    CheckImage(x, style_.family, kImageToImageSides);
    if (labels_ > 0) {
      const at::Tensor& labels = inputs[1];
      TORCH_CHECK_VALUE(labels.sizes() == at::IntArrayRef({x.size(0), labels_}), style_.family,
                        ": the labels are ", labels.sizes(), "; want (", x.size(0), ", ", labels_,
                        ")");
      const at::Tensor planes = labels.unsqueeze(2).unsqueeze(3);
      x = at::concat({x, planes.expand({x.size(0), labels_, x.size(2), x.size(3)})}, 1);
    }
    return {Run(after_, Run(blocks_, Run(before_, x))).tanh_()};
  }

 private:
  Style style_;
  int64_t labels_;
  ConvolutionSteps before_;
  ImageBlocks blocks_;
  ConvolutionSteps after_;
};

ASSAY_MODEL_IMPLEMENTATION(
    "cyclegan_generator",
    [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      constexpr Style kStyle = {"cyclegan_generator", "model.",
                                "conv_block.",        StepNorm::kInstance,
                                /*reflects=*/true,    /*kernel=*/3};
      return std::make_unique<Generator>(kStyle, parameters.Integer("channels"),
                                         parameters.Integer("blocks"), /*labels=*/0);
    });

ASSAY_MODEL_IMPLEMENTATION(
    "stargan_generator",
    [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      constexpr Style kStyle = {"stargan_generator",       "main.",     "main.",
                                StepNorm::kScaledInstance,
                                /*reflects=*/false,        /*kernel=*/4};
      return std::make_unique<Generator>(kStyle, parameters.Integer("channels"),
                                         parameters.Integer("blocks"),
                                         parameters.Integer("labels"));
    });

}  // namespace
}  // namespace assay::models
