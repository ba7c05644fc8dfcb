#include "models/layers/sequence/relative_position.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>

#include "gtest/gtest.h"

namespace assay::models {
namespace {

// Tokens of a window of side 2: (0,0) (0,1) (1,0) (1,1). Differences are counted from (-1,-1).
TEST(RelativePosition, TheIndexCountsDifferences) {
  EXPECT_TRUE(RelativePositionIndex(2).equal(
      at::tensor({4, 3, 1, 0, 5, 4, 2, 1, 7, 6, 4, 3, 8, 7, 5, 4}, at::kLong).view({4, 4})));
}

TEST(RelativePosition, ABiasIsReadByHeadAndPair) {
  const at::Tensor numbers = at::arange(RelativePositions(2), at::kFloat);
  const at::Tensor table = at::stack({numbers, numbers + 100}, 1);  // (9, 2)
  const at::Tensor bias = RelativePositionBias(table, RelativePositionIndex(2).flatten());
  ASSERT_EQ(bias.sizes(), at::IntArrayRef({1, 2, 4, 4}));
  EXPECT_EQ(bias[0][0][3][0].item<float>(), 8);
  EXPECT_EQ(bias[0][1][0][3].item<float>(), 100);
}

}  // namespace
}  // namespace assay::models
