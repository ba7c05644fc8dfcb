#ifndef ASSAY_MODELS_LAYERS_VISION_IMAGE_TO_IMAGE_H_
#define ASSAY_MODELS_LAYERS_VISION_IMAGE_TO_IMAGE_H_

// ---------------------------------------------------------------------------------------------
// models/layers/vision/image_to_image.h: parts of networks that make images of images, as J. Johnson's
// style transfer does: a 7x7 convolution, two that halve the image, residual blocks, and two that
// double it again. Steps are numbered, as in a torch.nn.Sequential.
//
// Not for: classifiers (conv_norm_activation.h), networks of diffusion (diffusion_blocks.h).
//
// Example:
//
//     ConvolutionStep stem{*this, "model.", 1, {.in = 3, .out = 64, .kernel = 7, .reflects = true,
//                          .bias = true, .norm = StepNorm::kInstance}};      // "model.1"
//     at::Tensor y = stem.Forward(x);                                         // (N, 64, H, W)
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/layers/core/batch_norm2d.h"
#include "models/layers/core/conv2d.h"
#include "models/layers/core/layer.h"
#include "models/layers/vision/conv_transpose2d.h"
#include "models/layers/vision/image_input.h"

namespace assay::models {

// The images that such networks take. A smaller one has too few pixels to reflect.
inline constexpr ImageSides kImageToImageSides = {.minimum = 8, .multiple_of = 4};

// An instance norm has no tensors. With a scale, it also keeps statistics, by which it evaluates.
enum class StepNorm { kNone, kInstance, kScaledInstance, kBatch };

class ScaledInstanceNorm;

struct StepOptions {
  int64_t in;
  int64_t out;
  int64_t kernel = 3;
  int64_t stride = 1;
  bool doubles = false;   // a transposed convolution, with the stride 2
  bool reflects = false;  // pads by reflection, not by zeros
  bool bias = false;
  StepNorm norm = StepNorm::kNone;
  double norm_gain = 1;  // factor on the recipe of the norm's scale
  bool relu = true;
};

// A convolution and its norm, "<sequence><number>" and the next number, and a ReLU.
class ConvolutionStep final {
 public:
  ConvolutionStep(Layer& parent, const std::string& sequence, int number,
                  const StepOptions& options);
  ~ConvolutionStep();

  at::Tensor Forward(at::Tensor x);

 private:
  int64_t reflected_;  // pixels
  bool relu_;
  bool instance_;
  std::unique_ptr<Conv2d> conv_;         // one of
  std::unique_ptr<ConvTranspose2d> up_;  // the two
  std::unique_ptr<ScaledInstanceNorm> scaled_;
  std::unique_ptr<BatchNorm2d> batch_;
};

using ConvolutionSteps = std::vector<std::unique_ptr<ConvolutionStep>>;

// One after another.
at::Tensor Run(const ConvolutionSteps& steps, at::Tensor x);

// Two steps, the second without a ReLU, added to their input.
class ImageBlock final : public Layer {
 public:
  // `sequence`: of the steps; layers that pad by reflection are counted in it.
  ImageBlock(Layer& parent, std::string name, const char* sequence, StepOptions options);

  at::Tensor Forward(const at::Tensor& x);

 private:
  ConvolutionSteps steps_;
};

using ImageBlocks = std::vector<std::unique_ptr<ImageBlock>>;

// `count` blocks called "<sequence><first>" and so on.
ImageBlocks MakeImageBlocks(Layer& parent, const char* sequence, int64_t first, int64_t count,
                            const char* block_sequence, const StepOptions& options);

at::Tensor Run(const ImageBlocks& blocks, at::Tensor x);

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_VISION_IMAGE_TO_IMAGE_H_
