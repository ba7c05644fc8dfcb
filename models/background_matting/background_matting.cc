// The network of Background Matting (senguptaumd/Background-Matting, ResnetConditionHR): from an image,
// its background alone, a rough segmentation and the frames around it to opacity and colours of what
// stands before the background. Tensor names, order and shapes are that repository's, so its
// checkpoints fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/upsample_bilinear2d.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/vision/image_input.h"
#include "models/layers/vision/image_to_image.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

at::Tensor Doubled(const at::Tensor& x) {
  return at::upsample_bilinear2d(x, {2 * x.size(2), 2 * x.size(3)}, /*align_corners=*/true);
}

class Matting final : public LayeredModel {
 public:
  Matting(int64_t channels, int64_t blocks, int64_t branch_blocks)
      : image1_(Encode("model_enc1.", 3, channels, 2)),
        image2_(Halve("model_enc2.", 0, 2 * channels)),
        background_(Encode("model_enc_back.", kInputs[1].channels, channels, 3)),
        segmentation_(Encode("model_enc_seg.", kInputs[2].channels, channels, 3)),
        frames_(Encode("model_enc_multi.", kInputs[3].channels, channels, 3)),
        with_background_(Narrow("comb_back.", 8 * channels, channels)),
        with_segmentation_(Narrow("comb_seg.", 8 * channels, channels)),
        with_frames_(Narrow("comb_multi.", 8 * channels, channels)),
        joined_(Narrow("model_res_dec.", 7 * channels, 4 * channels)),
        blocks_(MakeBlocks("model_res_dec.", 3, 4 * channels, blocks)),
        alpha_blocks_(MakeBlocks("model_res_dec_al.", 0, 4 * channels, branch_blocks)),
        foreground_blocks_(MakeBlocks("model_res_dec_fg.", 0, 4 * channels, branch_blocks)),
        alpha1_(Convolve("model_al_out.", 1, 4 * channels, 2 * channels)),
        alpha2_(Convolve("model_al_out.", 5, 2 * channels, channels)),
        alpha3_(Last("model_al_out.", 9, channels, 1)),
        foreground1_(Convolve("model_dec_fg1.", 1, 4 * channels, 2 * channels)),
        foreground2_(Convolve("model_fg_out.", 1, 4 * channels, channels)),
        foreground3_(Last("model_fg_out.", 5, channels, 3)) {}

  // Images and backgrounds (N, 3, H, W), segmentations (N, 1, H, W) and frames (N, 4, H, W) -> alpha
  // (N, 1, H, W) between -1 and 1, and foregrounds (N, 3, H, W).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], "background_matting", kImageToImageSides);
    for (size_t i = 1; i < inputs.size(); ++i) {
      std::vector<int64_t> want = inputs[0].sizes().vec();
      want[1] = kInputs[i].channels;
      TORCH_CHECK_VALUE(inputs[i].sizes() == at::IntArrayRef(want), "background_matting: the ",
                        kInputs[i].name, " is ", inputs[i].sizes(), "; want ",
                        at::IntArrayRef(want));
    }
    const at::Tensor fine = Run(image1_, inputs[0]), image = image2_->Forward(fine);
    const at::Tensor background = Run(background_, inputs[1]);
    const at::Tensor segmentation = Run(segmentation_, inputs[2]);
    // The repository computes these features and does not use them: it joins the background twice.
    Run(frames_, inputs[3]);
    const auto join = [&](ConvolutionStep& step, const at::Tensor& other) {
      return step.Forward(at::concat({image, other}, 1));
    };
    at::Tensor x =
        at::concat({image, join(*with_background_, background),
                    join(*with_segmentation_, segmentation), join(*with_frames_, background)},
                   1);
    x = Run(blocks_, joined_->Forward(x));
    const at::Tensor alpha = alpha1_->Forward(Doubled(Run(alpha_blocks_, x)));
    const at::Tensor foreground = foreground1_->Forward(Doubled(Run(foreground_blocks_, x)));
    return {
        alpha3_->Forward(alpha2_->Forward(Doubled(alpha))).tanh_(),
        foreground3_->Forward(foreground2_->Forward(Doubled(at::concat({foreground, fine}, 1))))};
  }

 private:
  static constexpr struct {
    const char* name;
    int64_t channels;
  } kInputs[] = {{"image", 3}, {"background", 3}, {"segmentation", 1}, {"frames", 4}};

  std::unique_ptr<ConvolutionStep> Add(const char* sequence, int number, StepOptions options) {
    options.norm = options.relu ? StepNorm::kBatch : StepNorm::kNone;
    return std::make_unique<ConvolutionStep>(*this, sequence, number, options);
  }
  std::unique_ptr<ConvolutionStep> Convolve(const char* sequence, int number, int64_t in,
                                            int64_t out) {
    return Add(sequence, number, {.in = in, .out = out, .bias = true});
  }
  std::unique_ptr<ConvolutionStep> Halve(const char* sequence, int number, int64_t in) {
    return Add(sequence, number, {.in = in, .out = 2 * in, .stride = 2, .bias = true});
  }
  std::unique_ptr<ConvolutionStep> Narrow(const char* sequence, int64_t in, int64_t out) {
    return Add(sequence, 0, {.in = in, .out = out, .kernel = 1});
  }
  std::unique_ptr<ConvolutionStep> Last(const char* sequence, int number, int64_t in, int64_t out) {
    return Add(sequence, number,
               {.in = in, .out = out, .kernel = 7, .reflects = true, .bias = true, .relu = false});
  }
  ConvolutionSteps Encode(const char* sequence, int64_t in, int64_t out, int count) {
    ConvolutionSteps steps;
    steps.push_back(
        Add(sequence, 1, {.in = in, .out = out, .kernel = 7, .reflects = true, .bias = true}));
    for (int i = 1; i < count; ++i, out *= 2) {
      steps.push_back(Halve(sequence, 1 + 3 * i, out));
    }
    return steps;
  }
  ImageBlocks MakeBlocks(const char* sequence, int64_t first, int64_t channels, int64_t count) {
    return MakeImageBlocks(*this, sequence, first, count, "conv_block.",
                           {.in = channels,
                            .out = channels,
                            .reflects = true,
                            .bias = true,
                            .norm = StepNorm::kBatch});
  }

  ConvolutionSteps image1_;
  std::unique_ptr<ConvolutionStep> image2_;
  ConvolutionSteps background_, segmentation_, frames_;
  std::unique_ptr<ConvolutionStep> with_background_, with_segmentation_, with_frames_, joined_;
  ImageBlocks blocks_, alpha_blocks_, foreground_blocks_;
  std::unique_ptr<ConvolutionStep> alpha1_, alpha2_, alpha3_, foreground1_, foreground2_,
      foreground3_;
};

ASSAY_MODEL_IMPLEMENTATION(
    "background_matting",
    [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      return std::make_unique<Matting>(parameters.Integer("channels"), parameters.Integer("blocks"),
                                       parameters.Integer("branch_blocks"));
    });

}  // namespace
}  // namespace assay::models
