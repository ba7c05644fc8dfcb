#ifndef ASSAY_MODELS_LAYERS_CORE_CONV_ND_H_
#define ASSAY_MODELS_LAYERS_CORE_CONV_ND_H_

// ---------------------------------------------------------------------------------------------
// models/layers/core/conv_nd.h: convolution over one or two dimensions, plain or transposed, with numbers
// of its own for each dimension; names and shapes of torch.nn.Conv1d, Conv2d, ConvTranspose1d and
// ConvTranspose2d. It has a bias.
//
// Not for: groups, and plain convolutions that conv1d.h or conv2d.h has. A transposed one has neither
// padding nor dilation.
//
// Example:
//
//     ConvNd down{*this, "down", {.in = 4, .out = 8, .kernel = {8, 1}, .stride = {4, 1}}};
//     at::Tensor y = down.Forward(x);                  // (N, 4, 64, 10) -> (N, 8, 15, 10)
//     ConvNd up{*this, "up", {.in = 8, .out = 4, .kernel = {8}, .stride = {4}, .transposed = true}};
//     at::Tensor z = up.Forward(w);                    // (N, 8, 10) -> (N, 4, 44)
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

#include "models/layers/core/layer.h"

namespace assay::models {

struct ConvNdOptions {
  int64_t in;
  int64_t out;
  std::vector<int64_t> kernel;         // its length says how many dimensions there are: 1 or 2
  std::vector<int64_t> stride = {1};   // one number for each dimension, or one for all
  std::vector<int64_t> padding = {0};  // zeros on both sides, likewise
  std::vector<int64_t> dilation = {1};
  bool transposed = false;
  double gain = 1;  // factor on the weight's recipe
};

class ConvNd final : public Layer {
 public:
  ConvNd(Layer& parent, std::string name, ConvNdOptions options);

  at::Tensor Forward(const at::Tensor& x) const;

 private:
  const ConvNdOptions options_;
  at::Tensor weight_;  // (out, in, kernel...); transposed: (in, out, kernel...)
  at::Tensor bias_;    // (out)
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_CORE_CONV_ND_H_
