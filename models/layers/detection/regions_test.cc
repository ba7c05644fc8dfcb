#include "models/layers/detection/regions.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/tensor.h>

#include "gtest/gtest.h"

namespace assay::models {
namespace {

TEST(RegionsOfTest, AreTheRowsThatHoldABox) {
  const at::Tensor rows = at::tensor({1., .9, 1., 2., 3., 4., -1., 0., 0., 0.,  0.,  0.,  //
                                      0., .8, 5., 6., 7., 8., 2.,  .7, 9., 10., 11., 12.})
                              .view({2, 2, 6});
  const RegionRows regions = RegionsOf(rows);
  EXPECT_TRUE(regions.places.equal(at::tensor({0, 2, 3}, at::kLong)));
  EXPECT_TRUE(regions.numbered.equal(
      at::tensor({0., 1., 2., 3., 4., 1., 5., 6., 7., 8., 1., 9., 10., 11., 12.}).view({3, 5})));
}

// The number of the map in hundreds, and 1000 more in the second image, plus column and tenfold row.
at::Tensor Map(int64_t number) {
  const int64_t side = 128 >> number;
  const at::Tensor x = at::arange(side, at::kDouble);
  const at::Tensor one = (100.0 * number + x + 10 * x.unsqueeze(1)).expand({1, 1, side, side});
  return at::cat({one, one + 1000});
}

// Sides of 111 to 448 pixels are at the borders of levels. Values of torchvision 0.26's MultiScaleRoIAlign.
TEST(PooledRegionsTest, TheLargerARegionTheCoarserIsItsLevel) {
  const at::Tensor regions = at::tensor({0., 0., 0., 111., 112.,  0., 0., 0., 112., 112.,  //
                                         0., 8., 8., 24.,  40.,   1., 0., 0., 448., 448.,  //
                                         1., 4., 0., 447., 448.5, 1., 0., 0., 224., 224.,  //
                                         1., 4., 8., 24.,  30.})
                                 .view({-1, 5});
  const at::Tensor pooled =
      PooledRegions({Map(0), Map(1), Map(2), Map(3), Map(4)}, regions, 1).flatten();
  EXPECT_TRUE(pooled.allclose(at::tensor({153.875, 177., 64., 1377., 1354.25, 1277., 1051.})))
      << pooled;
}

// With as many samples as a cell has pixels.
TEST(PooledRegionsTest, OneMapHasAStrideOf16) {
  const at::Tensor regions =
      at::tensor({0., 16., 16., 80., 48., 0., 0., 0., 111., 112.}).view({-1, 5});
  const at::Tensor pooled = PooledRegions({Map(0)}, regions, 1).flatten();
  EXPECT_TRUE(pooled.allclose(at::tensor({23., 38.46875}))) << pooled;
  EXPECT_EQ(PooledRegions({Map(0).to(at::kBFloat16)}, regions.to(at::kFloat), 2).scalar_type(),
            at::kBFloat16);
}

}  // namespace
}  // namespace assay::models
