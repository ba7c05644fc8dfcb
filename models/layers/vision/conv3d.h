#ifndef ASSAY_MODELS_LAYERS_VISION_CONV3D_H_
#define ASSAY_MODELS_LAYERS_VISION_CONV3D_H_

// ---------------------------------------------------------------------------------------------
// models/layers/vision/conv3d.h: 3-d convolution over a video's time, height and width, alone or with
// its norm behind it; names and shapes of torch.nn.Conv3d and torch.nn.BatchNorm3d.
//
// Not for: dilation, kernels that differ by height and width (no family here has one yet).
//
// Example:
//
//     ConvNorm3d stem{*this, {"stem.0", "stem.1"},
//                     {.in = 3, .out = 64, .kernel = {3, 7}, .stride = {1, 2}}};
//     at::Tensor y = stem.Forward(x);          // (N, 3, 16, 112, 112) -> (N, 64, 16, 56, 56)
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

#include "models/layers/core/batch_norm2d.h"
#include "models/layers/core/layer.h"

namespace assay::models {

// A number of frames, and of pixels in both directions.
struct FramesPixels {
  FramesPixels(int64_t all)
      : frames(all), pixels(all) {}  // NOLINT: so that `.kernel = 3` is a cube
  FramesPixels(int64_t frames, int64_t pixels) : frames(frames), pixels(pixels) {}

  int64_t frames;
  int64_t pixels;
};

struct Conv3dOptions {
  int64_t in;
  int64_t out;
  FramesPixels kernel = 1;
  FramesPixels stride = 1;
  bool padded = true;  // by half of the kernel, which is odd, on each side; false: not at all
  int64_t groups = 1;
  bool bias = false;  // as Conv2dOptions: nearly every convolution here has a norm behind it
  double gain = 1;    // factor on the weight's recipe
};

class Conv3d final : public Layer {
 public:
  Conv3d(Layer& parent, std::string name, const Conv3dOptions& options);

  at::Tensor Forward(const at::Tensor& x) const;

 private:
  FramesPixels stride_;
  FramesPixels padding_;
  int64_t groups_;
  at::Tensor weight_;  // (out, in / groups, frames, pixels, pixels) of the kernel
  at::Tensor bias_;    // (out), or undefined
};

struct ConvNorm3dNames {
  std::string conv;
  std::string norm;
};

// Batch norm over (N, frames, height, width).
using BatchNorm3dOptions = BatchNorm2dOptions;
using BatchNorm3d = BatchNorm2d;

// Two layers of the parent, and a ReLU behind them unless `relu` is false. `norm.channels` is taken
// from `conv`.
class ConvNorm3d final {
 public:
  ConvNorm3d(Layer& parent, const ConvNorm3dNames& names, const Conv3dOptions& conv,
             const BatchNorm3dOptions& norm = {}, bool relu = true);

  at::Tensor Forward(const at::Tensor& x) {
    at::Tensor y = norm_.Forward(conv_.Forward(x));
    return relu_ ? y.relu_() : y;
  }

 private:
  Conv3d conv_;
  BatchNorm3d norm_;
  bool relu_;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_VISION_CONV3D_H_
