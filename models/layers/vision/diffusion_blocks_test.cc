#include "models/layers/vision/diffusion_blocks.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/tensor.h>

#include <cmath>
#include <vector>

#include "gtest/gtest.h"
#include "models/layers/core/layered_model.h"

namespace assay::models {
namespace {

class OneTime final : public LayeredModel {
 public:
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    return {features.Forward(inputs[0], dtype)};
  }
  TimeFeatures features{*this, 4, /*shift=*/1};
  at::ScalarType dtype = at::kDouble;
};

// Frequencies 1 and 1 / 10000.
TEST(TimeFeaturesTest, AreCosinesThenSines) {
  OneTime model;
  const at::Tensor y = model.Forward({at::tensor({3, 700})})[0];
  ASSERT_EQ(y.sizes(), at::IntArrayRef({2, 4}));
  const double want[] = {std::cos(700.), std::cos(0.07), std::sin(700.), std::sin(0.07)};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(y[1][i].item<double>(), want[i], 1e-12);
}

// In bf16, 700 and 701 would be the same angle.
TEST(TimeFeaturesTest, AnglesAreFloat32AtLeast) {
  OneTime model;
  const at::Tensor times = at::tensor({701});
  const at::Tensor exact = model.Forward({times})[0];
  for (const at::ScalarType dtype : {at::kFloat, at::kBFloat16, at::kHalf}) {
    model.To(at::kCPU, dtype);
    model.dtype = dtype;
    const at::Tensor y = model.Forward({times})[0];
    EXPECT_EQ(y.scalar_type(), dtype);
    EXPECT_LT((y.to(at::kDouble) - exact).abs().max().item<double>(),
              dtype == at::kFloat ? 1e-4 : 4e-3);
  }
  EXPECT_NE(exact[0][0].item<double>(), static_cast<float>(exact[0][0].item<double>()));
}

}  // namespace
}  // namespace assay::models
