#ifndef ASSAY_MODELS_LAYERS_VISION_CONV_TRANSPOSE2D_H_
#define ASSAY_MODELS_LAYERS_VISION_CONV_TRANSPOSE2D_H_

// ---------------------------------------------------------------------------------------------
// models/layers/vision/conv_transpose2d.h: 2-d transposed convolution, which enlarges the image by its
// stride; names and shapes of torch.nn.ConvTranspose2d.
//
// The weight's recipe counts the kernel's taps that meet in one pixel where pixels are many:
// (kernel / stride)^2. One that starts from a single pixel has one tap there.
//
// Not for: groups, dilation, kernels that are not square.
//
// Example:
//
//     ConvTranspose2d up{*this, "up", {.in = 128, .out = 64, .kernel = 2, .stride = 2}};
//     at::Tensor y = up.Forward(x);                    // (N, 128, 40, 40) -> (N, 64, 80, 80)
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

#include "models/layers/core/layer.h"

namespace assay::models {

struct ConvTranspose2dOptions {
  int64_t in;
  int64_t out;
  int64_t kernel;
  int64_t stride = 1;
  int64_t padding = 0;         // pixels cut off at each side
  int64_t output_padding = 0;  // pixels that are not cut off behind the image
  bool bias = false;
  double gain = 1;  // factor on the weight's recipe
};

class ConvTranspose2d final : public Layer {
 public:
  ConvTranspose2d(Layer& parent, std::string name, const ConvTranspose2dOptions& options);

  at::Tensor Forward(const at::Tensor& x) const;

 private:
  int64_t stride_;
  int64_t padding_;
  int64_t output_padding_;
  at::Tensor weight_;  // (in, out, kernel, kernel)
  at::Tensor bias_;    // (out), or undefined
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_VISION_CONV_TRANSPOSE2D_H_
