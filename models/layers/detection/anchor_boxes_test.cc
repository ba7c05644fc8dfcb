#include "models/layers/detection/anchor_boxes.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/tensor.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::models {
namespace {

using testing::ElementsAre;

at::Tensor Rows(const std::vector<double>& numbers) {
  return at::tensor(numbers, at::kDouble).view({-1, 4});
}

// Numbers that torchvision 0.26 gives: AnchorGenerator, BoxCoder, box_iou, Matcher.
TEST(AnchorBoxesTest, AnchorsAreTorchvisions) {
  const at::Tensor anchors = GridAnchors({.sizes = {32, 40}}, /*rows=*/2, /*columns=*/3,
                                         /*row_stride=*/8, 8, at::empty({}, at::kDouble));
  EXPECT_EQ(anchors.sizes(), at::IntArrayRef({36, 4}));
  EXPECT_TRUE(
      anchors.narrow(0, 0, 6).equal(Rows({-23, -11, 23, 11, -28, -14, 28, 14, -16, -16, 16, 16,
                                          -20, -20, 20, 20, -11, -23, 11, 23, -14, -28, 14, 28})));
  EXPECT_TRUE(anchors[35].equal(at::tensor({2., -20., 30., 36.})));
}

TEST(AnchorBoxesTest, EachCellOfAGridHasTheBoxes) {
  const at::Tensor boxes = BoxesOfGrid({1, 2, 3, 4, -1, 0, 0, .5}, /*rows=*/1, /*columns=*/2,
                                       /*row_stride=*/8, 16, at::kDouble);
  EXPECT_TRUE(boxes.equal(Rows({1, 2, 3, 4, -1, 0, 0, .5, 17, 2, 19, 4, 15, 0, 16, .5})));
}

const std::vector<double> kAnchors = {0, 0, 8, 16, 4, 2, 10, 6};

TEST(AnchorBoxesTest, CodesAreTorchvisions) {
  const CodeWeights weights = {.shift = 10, .size = 5};
  // The size of the second is beyond the clamp.
  const at::Tensor decoded =
      DecodedBoxes(Rows({1, -2, .5, 0, 10, 5, 40, -2}), Rows(kAnchors), weights);
  EXPECT_TRUE(decoded.allclose(
      Rows({0.37931632769740897, -3.2, 9.2206836723025916, 12.8, -174.50000000000006,
            4.6593599079287209, 200.50000000000006, 7.3406400920712791}),
      1e-14, 1e-14));
  const at::Tensor encoded =
      EncodedBoxes(Rows({1, 2, 5, 10, 0, 0, 12, 8}), Rows(kAnchors), weights);
  EXPECT_TRUE(
      encoded.allclose(Rows({-1.25, -1.25, -3.4657359027997265, -3.4657359027997265,
                             -1.6666666666666667, 0, 3.4657359027997265, 3.4657359027997265}),
                       1e-14, 1e-14));
}

TEST(AnchorBoxesTest, ClipsToTheImage) {
  EXPECT_TRUE(ClippedBoxes(Rows({-1, 2, 9, 99, 8, -3, 7, 4}), /*height=*/10, /*width=*/6)
                  .equal(Rows({0, 2, 6, 10, 6, 0, 6, 4})));
}

TEST(AnchorBoxesTest, MatchesAreTorchvisions) {
  const at::Tensor objects = Rows({0, 0, 10, 10, 20, 20, 30, 40, 100, 100, 104, 104});
  const at::Tensor anchors = Rows({0,  0,  10, 10, 0,  0,  10,  22,  20,  20,  30,  42,  50,  50,
                                   60, 60, 0,  0,  10, 24, 100, 100, 120, 120, 100, 100, 120, 120});
  EXPECT_DOUBLE_EQ(PairwiseIou(objects, anchors)[0][1].item<double>(), 10. / 22);
  const auto matched = [&](double high, bool each_object) {
    const at::Tensor found = MatchedObjects(objects, anchors, high, 0.4, each_object);
    return std::vector<int64_t>(found.const_data_ptr<int64_t>(),
                                found.const_data_ptr<int64_t>() + found.numel());
  };
  EXPECT_THAT(matched(0.5, true), ElementsAre(0, kBetween, 1, kBackground, kBetween, 2, 2));
  EXPECT_THAT(matched(0.95, true), ElementsAre(0, kBetween, 1, kBackground, kBetween, 2, 2));
  EXPECT_THAT(matched(0.95, false),
              ElementsAre(0, kBetween, kBetween, kBackground, kBetween, kBackground, kBackground));
  EXPECT_THROW(MatchedObjects(objects.narrow(0, 0, 0), anchors, 0.5, 0.4, true), c10::ValueError);
}

}  // namespace
}  // namespace assay::models
