#include "benchmarks/harness/numerics/value_shares.h"

#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <limits>

#include "gtest/gtest.h"

namespace assay::numerics {
namespace {

TEST(SharesOf, CountsZerosAndSubnormals) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const at::Tensor x = at::tensor({0.0f, -0.0f, 1e-40f, -1e-40f, 1e-37f, 1.0f, nan, -7.0f});
  const ValueShares shares = SharesOf({x});
  EXPECT_DOUBLE_EQ(shares.zeros, 2.0 / 8);
  EXPECT_DOUBLE_EQ(shares.subnormals, 2.0 / 8);
}

TEST(SharesOf, KnowsEachDtypesSmallestNormal) {
  const at::Tensor x = at::tensor({1e-6, 1e-3, 1e-310, 1.0}, at::kDouble);
  EXPECT_DOUBLE_EQ(SharesOf({x}).subnormals, 1.0 / 4);
  EXPECT_DOUBLE_EQ(SharesOf({x.to(at::kHalf)}).subnormals, 1.0 / 4) << "1e-6; 1e-310 became 0";
  EXPECT_DOUBLE_EQ(SharesOf({x.to(at::kBFloat16)}).subnormals, 0);
}

TEST(SubnormalShareOfSamples, CountsBySizeWhatACpuComputesSlowly) {
  const at::Tensor large = at::zeros({100, 1000}).fill_(1e-40), small = at::ones({100'000});
  EXPECT_DOUBLE_EQ(SubnormalShareOfSamples({large, small}), 0.5);
  EXPECT_DOUBLE_EQ(SubnormalShareOfSamples({large.t(), small.slice(0, 0, 50'000)}), 2.0 / 3);
  EXPECT_DOUBLE_EQ(SubnormalShareOfSamples({at::full({8}, 1e-6, at::kHalf)}), 0) << "as float32";
  EXPECT_DOUBLE_EQ(SubnormalShareOfSamples({at::full({8}, 1e-40, at::kBFloat16)}), 1);
  EXPECT_DOUBLE_EQ(SubnormalShareOfSamples({at::zeros({3}, at::kLong), at::Tensor()}), 0);
}

TEST(SubnormalShareOfSamples, ASampleIsOfTheWholeTensor) {
  const at::Tensor x = at::ones({100'000});
  x.narrow(0, 50'000, 50'000).fill_(1e-40);
  EXPECT_NEAR(SubnormalShareOfSamples({x}), 0.5, 1e-3);
}

TEST(SharesOf, LeavesIntegersAndNothingOut) {
  const ValueShares shares = SharesOf({at::zeros({3}, at::kLong), at::Tensor(), at::zeros({0})});
  EXPECT_EQ(shares.zeros, 0);
  EXPECT_EQ(shares.subnormals, 0);
}

}  // namespace
}  // namespace assay::numerics
