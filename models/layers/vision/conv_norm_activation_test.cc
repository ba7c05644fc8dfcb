#include "models/layers/vision/conv_norm_activation.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/conv2d.h>

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/layered_model.h"

namespace assay::models {
namespace {

class OneConvolution final : public LayeredModel {
 public:
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    return {unit_.Forward(inputs[0])};
  }
  ConvNormActivation unit_{
      *this,
      {"conv", "norm"},
      {.in = 4, .out = 6, .kernel = 3, .groups = 2, .activation = Activation::kNone, .eps = 0.3}};
};

TEST(ConvNormActivationTest, AConvolutionAndItsNormAreOneConvolution) {
  OneConvolution model;
  // Each tensor has other values than its neighbours have; scales and variances are positive.
  for (NamedTensor& entry : model.State()) {
    if (!entry.tensor.is_floating_point()) continue;
    const double middle = entry.name.find("var") != std::string::npos ? 1 : 0.1;
    const at::Tensor values = at::arange(entry.tensor.numel()).mul(0.37).sin().mul(0.4);
    entry.tensor.copy_(values.add(middle).view(entry.tensor.sizes()));
  }
  const at::Tensor x = at::arange(4 * 25).to(at::kFloat).mul(0.3).sin().view({1, 4, 5, 5});
  const auto [kernel, bias] = model.unit_.AsOneConvolution();
  const at::Tensor merged = at::conv2d(x.to(at::kDouble), kernel, bias, {1, 1}, {1, 1}, {1, 1}, 2);
  EXPECT_TRUE(at::allclose(model.Forward({x})[0].to(at::kDouble), merged, 1e-5, 1e-5));
}

}  // namespace
}  // namespace assay::models
