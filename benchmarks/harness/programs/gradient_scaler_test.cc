#include "benchmarks/harness/programs/gradient_scaler.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace assay::execution {
namespace {

double ScaleNow(const GradientScaler& scaler) { return scaler.Scale(at::ones({})).item<double>(); }

TEST(GradientScaler, GivesBackTheGradientsOfTheLoss) {
  GradientScaler scaler(at::kCPU);
  EXPECT_EQ(ScaleNow(scaler), 65536);
  std::vector<at::Tensor> gradients = {at::tensor({1.5f, -3.0f}) * 65536, at::ones({2, 2}) * 65536};
  scaler.Unscale(gradients);
  EXPECT_TRUE(at::equal(gradients[0], at::tensor({1.5f, -3.0f})));
  EXPECT_TRUE(at::equal(gradients[1], at::ones({2, 2})));
  EXPECT_EQ(scaler.found_inf().item<float>(), 0);
}

TEST(GradientScaler, HalvesTheScaleAfterAnOverflowAndForgetsIt) {
  GradientScaler scaler(at::kCPU);
  std::vector<at::Tensor> gradients = {at::ones({2}), at::tensor({1.0f, INFINITY})};
  scaler.Unscale(gradients);
  EXPECT_NE(scaler.found_inf().item<float>(), 0);
  scaler.Update();
  EXPECT_EQ(ScaleNow(scaler), 32768);
  gradients = {at::ones({2})};
  scaler.Unscale(gradients);
  EXPECT_EQ(scaler.found_inf().item<float>(), 0);
}

TEST(GradientScaler, DoublesTheScaleAfterTwoThousandStepsWithoutOverflow) {
  GradientScaler scaler(at::kCPU);
  std::vector<at::Tensor> gradients = {at::ones({1})};
  for (int step = 1; step < 2000; ++step) {
    scaler.Unscale(gradients);
    scaler.Update();
  }
  EXPECT_EQ(ScaleNow(scaler), 65536);
  scaler.Unscale(gradients);
  scaler.Update();
  EXPECT_EQ(ScaleNow(scaler), 131072);
}

}  // namespace
}  // namespace assay::execution
