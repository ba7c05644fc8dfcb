#ifndef ASSAY_MODELS_LAYERS_CORE_CONV2D_H_
#define ASSAY_MODELS_LAYERS_CORE_CONV2D_H_

// ---------------------------------------------------------------------------------------------
// models/layers/core/conv2d.h: 2-d convolution; names and shapes of torch.nn.Conv2d.
//
// Not for: strides or dilations that differ by direction (no family here has one yet).
//
// Example:
//
//     Conv2d conv1{*this, "conv1", {.in = 3, .out = 64, .kernel = 7, .stride = 2, .padding = 3}};
//     at::Tensor y = conv1.Forward(x);                 // (N, 3, 224, 224) -> (N, 64, 112, 112)
//     Conv2d row{*this, "row", {.in = 64, .out = 64, .kernel = {1, 7}, .padding = {0, 3}}};
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

#include "models/layers/core/layer.h"

namespace assay::models {

// A number of pixels in both directions, or one in each.
struct Extent {
  Extent(int64_t side) : height(side), width(side) {}  // NOLINT: so that `.kernel = 3` means 3 x 3
  Extent(int64_t height, int64_t width) : height(height), width(width) {}

  int64_t height;
  int64_t width;
};

struct Conv2dOptions {
  int64_t in;
  int64_t out;
  Extent kernel;
  int64_t stride = 1;
  Extent padding = 0;
  int64_t dilation = 1;  // pixels from one tap of the kernel to the next
  int64_t groups = 1;
  bool bias = false;  // unlike torch.nn: nearly every convolution here has a norm behind it
  double gain = 1;    // factor on the weight's recipe
  bool positive_bias = false;  // its recipe is a scale's, with mean 1
};

class Conv2d final : public Layer {
 public:
  Conv2d(Layer& parent, std::string name, const Conv2dOptions& options);

  at::Tensor Forward(const at::Tensor& x) const;

  const at::Tensor& weight() const { return weight_; }
  // How the kernel goes over the image, as at::conv2d takes it.
  struct Way {
    std::vector<int64_t> stride, padding, dilation;
    int64_t groups = 1;
  };
  Way way() const {
    return {{stride_, stride_}, {padding_.height, padding_.width}, {dilation_, dilation_}, groups_};
  }
  // Gives the convolution, which has a bias, these values of the same shapes.
  void SetValues(at::Tensor weight, at::Tensor bias);

 private:
  int64_t stride_;
  Extent padding_;
  int64_t dilation_;
  int64_t groups_;
  at::Tensor weight_;  // (out, in / groups, kernel height, kernel width)
  at::Tensor bias_;    // (out), or undefined
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_CORE_CONV2D_H_
