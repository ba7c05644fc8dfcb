#include "models/layers/sequence/residual_sum.h"

#include <ATen/ops/tensor.h>

#include "gtest/gtest.h"

namespace assay::models {
namespace {

TEST(ResidualSum, IsKeptInABranchOfTheSameDtype) {
  const at::Tensor branch = at::tensor({1.0f, 2.0f});
  const at::Tensor sum = ResidualSum(branch, at::tensor({10.0f, 20.0f}));
  EXPECT_TRUE(sum.is_same(branch));
  EXPECT_TRUE(sum.equal(at::tensor({11.0f, 22.0f})));
}

TEST(ResidualSum, IsAsWideAsTheWiderOfTwo) {
  // 1 + 2^-12 has no bf16.
  const at::Tensor sum = ResidualSum(at::tensor({1.0f}).to(at::kBFloat16), at::tensor({0x1p-12f}));
  EXPECT_TRUE(sum.equal(at::tensor({1 + 0x1p-12f})));
}

}  // namespace
}  // namespace assay::models
