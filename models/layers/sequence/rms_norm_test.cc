#include "models/layers/sequence/rms_norm.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/tensor.h>

#include <vector>

#include "gtest/gtest.h"
#include "models/layers/core/layered_model.h"

namespace assay::models {
namespace {

class Gemma final : public LayeredModel {
 public:
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    return {norm_.Forward(inputs[0])};
  }

 private:
  RmsNorm norm_{*this, "norm", {.features = 8, .eps = 0, .from_one = true}};
};

// 1.5 in a row of mean square 1, times the scale.
at::Tensor Scaled(double weight, at::ScalarType dtype) {
  Gemma model;
  model.To(at::kCPU, dtype);
  for (NamedTensor& entry : model.State()) entry.tensor.fill_(weight);
  const at::Tensor row = at::tensor({1.5, 1.5, 1., 1., 1., 0.5, 0.5, 0.}).to(dtype);
  return model.Forward({row})[0][0];
}

TEST(RmsNorm, TheSumOfOneAndAWeightIsFloat32AtLeast) {
  EXPECT_EQ(Scaled(0x1p-40, at::kDouble).item<double>(), 1.5 * (1 + 0x1p-40));
  EXPECT_EQ(Scaled(0x1p-20, at::kFloat).item<float>(), 1.5F * (1 + 0x1p-20F));
  // bf16 has no 1 + 2^-8 and would take 1, but it has 1.5 + 2^-7, next to the product.
  const at::Tensor scaled = Scaled(0x1p-8, at::kBFloat16);
  EXPECT_EQ(scaled.scalar_type(), at::kBFloat16);
  EXPECT_EQ(scaled.item<double>(), 1.5 + 0x1p-7);
}

}  // namespace
}  // namespace assay::models
