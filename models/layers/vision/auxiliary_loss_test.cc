#include "models/layers/vision/auxiliary_loss.h"

#include <ATen/ops/tensor.h>

#include <cmath>

#include "gtest/gtest.h"

namespace assay::models {
namespace {

TEST(AuxiliaryLoss, WeighsTheHeadsAndMeansTheRows) {
  // Logits are logarithms of probabilities: the labels have 0.25 and 0.5, then 0.5 and 0.5.
  const at::Tensor logits = at::tensor({1., 3., 2., 2.}, at::kDouble).view({2, 2}).log();
  const at::Tensor head = at::tensor({1., 1., 5., 5.}, at::kDouble).view({2, 2}).log();
  const at::Tensor labels = at::tensor({0, 1}, at::kLong);
  const double of_logits = -(std::log(0.25) + std::log(0.5)) / 2;
  EXPECT_NEAR(AuxiliaryLoss({logits}, labels, 0.3).item<double>(), of_logits, 1e-12);
  const at::Tensor loss = AuxiliaryLoss({logits, head, head}, labels, 0.3);
  EXPECT_EQ(loss.dim(), 0);
  EXPECT_NEAR(loss.item<double>(), of_logits + 2 * 0.3 * std::log(2), 1e-12);
}

}  // namespace
}  // namespace assay::models
