#include "models/layers/detection/region_targets.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Formatting.h>
#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"

namespace assay::models {
namespace {

// Two objects of each of two images, and up to three proposals, of which the first of each image shows an object.
RegionTargets SampledOf(int64_t count) {
  const at::Tensor proposals = at::tensor({0.,  .9, 0.,  0.,  10., 8.,   //
                                           1.,  .8, 50., 50., 60., 60.,  //
                                           -1., 0., 0.,  0.,  0.,  0.,   //
                                           0.,  .7, 30., 30., 50., 45.,  //
                                           0.,  .6, 32., 30., 50., 50.,  //
                                           2.,  .5, 0.,  4.,  8.,  12.})
                                   .view({2, 3, 6});
  const at::Tensor boxes = at::tensor({0., 0., 10., 10., 20., 20., 40., 40.,  //
                                       0., 0., 8., 8., 30., 30., 50., 50.})
                               .view({2, 2, 4});
  return SampledRegions(proposals, boxes, at::tensor({3, 5, 1, 2}, at::kLong).view({2, 2}), count);
}

TEST(SampledRegionsTest, AreProposalsAndObjects) {
  const RegionTargets all = SampledOf(100);
  EXPECT_TRUE(all.labels.equal(at::tensor({3, 0, 3, 5, 2, 2, 0, 1, 2}, at::kLong))) << all.labels;
  EXPECT_TRUE(all.objects.equal(at::tensor({0, 0, 0, 1, 3, 3, 2, 2, 3}, at::kLong))) << all.objects;
  EXPECT_TRUE(all.numbered.select(1, 0).equal(at::tensor({0., 0., 0., 0., 1., 1., 1., 1., 1.})));
  EXPECT_TRUE(all.numbered[3].equal(at::tensor({0., 20., 20., 40., 40.})));
  EXPECT_TRUE(all.numbered[5].equal(at::tensor({1., 32., 30., 50., 50.})));
  EXPECT_TRUE(all.codes[0].allclose(at::tensor({0., 1.25, 0., 5 * std::log(1.25)}), 1e-12, 1e-12));
  EXPECT_TRUE(all.codes[8].equal(at::zeros({4}, at::kDouble)));
  const RegionTargets shown = WithObjects(all);
  EXPECT_TRUE(shown.labels.equal(at::tensor({3, 3, 5, 2, 2, 1, 2}, at::kLong)));
  EXPECT_TRUE(shown.objects.equal(at::tensor({0, 0, 1, 3, 3, 2, 3}, at::kLong)));
  EXPECT_TRUE(shown.numbered[2].equal(all.numbered[3]));
  EXPECT_TRUE(shown.codes[3].equal(all.codes[4]));
}

// A quarter of them may show an object.
TEST(SampledRegionsTest, AreFewerThanThereAre) {
  const RegionTargets few = SampledOf(4);
  EXPECT_TRUE(few.labels.equal(at::tensor({3, 0, 2, 0}, at::kLong))) << few.labels;
  EXPECT_TRUE(few.numbered[3].equal(at::tensor({1., 0., 4., 8., 12.})));
  EXPECT_TRUE(SampledOf(8).labels.equal(at::tensor({3, 0, 5, 2, 0, 1}, at::kLong)));
}

RegionTargets Targets(const at::Tensor& numbered, const at::Tensor& labels) {
  return {numbered, labels, at::zeros_like(labels), at::zeros({labels.size(0), 4}, at::kDouble)};
}

TEST(BoxLossesTest, AreThoseOfTheRegionsLabels) {
  RegionTargets targets = Targets(at::zeros({3, 5}, at::kDouble), at::tensor({2, 0, 1}, at::kLong));
  targets.codes[0].copy_(at::tensor({.05, -1., 0., 2.}));
  targets.codes[2].fill_(.1);
  at::Tensor codes = at::full({3, 12}, 100., at::kDouble);
  codes[0].narrow(0, 8, 4).fill_(0);
  codes[2].narrow(0, 4, 4).fill_(0);
  at::Tensor logits = at::zeros({3, 3}, at::kDouble);
  logits[0][2] = 1;
  const std::vector<at::Tensor> losses = BoxLosses(logits, codes, targets);
  EXPECT_NEAR(losses[0].item<double>(), (std::log(2 + std::exp(1.)) - 1 + 2 * std::log(3.)) / 3,
              1e-12);
  // Up to a ninth the loss of a code is 4.5 of its square, then the code less an eighteenth.
  const double of_codes = 4.5 * .0025 + (1 - 1. / 18) + (2 - 1. / 18) + 4 * 4.5 * .01;
  EXPECT_NEAR(losses[1].item<double>(), of_codes / 3, 1e-12);
}

// The second object is the left half of its image. A region over its edge wants 1, 1/2, 0, 0 in each row.
TEST(MaskLossTest, WantsTheObjectsPixelsInTheRegion) {
  at::Tensor masks = at::zeros({1, 2, 8, 8}, at::kBool);
  masks[0][1].narrow(1, 0, 4).fill_(true);
  RegionTargets targets =
      Targets(at::tensor({0., 2., 2., 6., 6.}).view({1, 5}), at::tensor({2}, at::kLong));
  targets.objects.fill_(1);
  at::Tensor logits = at::full({1, 3, 4, 4}, 100., at::kDouble);
  logits[0][2].fill_(3);
  EXPECT_NEAR(MaskLoss(logits, masks, targets).item<double>(),
              std::log1p(std::exp(3.)) - 3 * (1 + .5) / 4, 1e-12);
}

}  // namespace
}  // namespace assay::models
