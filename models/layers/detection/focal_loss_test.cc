#include "models/layers/detection/focal_loss.h"

#include <ATen/ops/tensor.h>

#include "gtest/gtest.h"

namespace assay::models {
namespace {

// The number is torchvision 0.26's sigmoid_focal_loss.
TEST(FocalLossTest, IsThatOfTorchvision) {
  const at::Tensor logits = at::tensor({.5, -1., 2., .25}), targets = at::tensor({1., 0., 0., 1.});
  EXPECT_DOUBLE_EQ(FocalLoss(logits, targets).item<double>(), 1.2990459231429967);
  // effdet 0.4.1's new_focal_loss.
  EXPECT_DOUBLE_EQ(FocalLoss(logits, targets, 1.5).item<double>(), 1.4206194715722888);
}

}  // namespace
}  // namespace assay::models
