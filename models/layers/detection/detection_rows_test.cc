#include "models/layers/detection/detection_rows.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>

#include <utility>

#include "gtest/gtest.h"

namespace assay::models {
namespace {

TEST(RowsOfCellsTest, AnchorsOfACellStandTogether) {
  // Two anchors of three numbers, one row of two cells.
  const at::Tensor x = at::arange(12).view({1, 6, 1, 2});
  EXPECT_TRUE(RowsOfCells(x, 3).equal(
      at::tensor({0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11}, at::kLong).view({1, 4, 3})));
}

TEST(InFloatsTest, AreFloat32AtLeast) {
  for (const auto& [given, wide] :
       {std::pair(at::kBFloat16, at::kFloat), std::pair(at::kFloat, at::kFloat),
        std::pair(at::kDouble, at::kDouble)})
    EXPECT_EQ(InFloats(at::ones({1}, given)).scalar_type(), wide);
}

// Cells of three classes; a score that is the threshold is not above it.
TEST(BestOfTest, AreAboveTheThresholdAndHaveTheirCell) {
  const at::Tensor scores = at::tensor({.1, .9, .5, .7, .2, .6}).view({2, 3});
  const BestScores all = BestOf(scores, 0.5, 9), best = BestOf(scores, 0.5, 2);
  EXPECT_TRUE(all.scores.equal(at::tensor({.9, .7, .6})));
  EXPECT_TRUE(all.cells.equal(at::tensor({0, 1, 1}, at::kLong)));
  EXPECT_TRUE(all.labels.equal(at::tensor({1, 0, 2}, at::kLong)));
  EXPECT_TRUE(best.scores.equal(at::tensor({.9, .7})));
}

TEST(WithSidesTest, BothSidesAreLongEnough) {
  const Candidates all = {at::tensor({0., 0., 2., 9., 0., 0., 9., 1., 3., 3., 4., 9.}).view({3, 4}),
                          at::tensor({.1, .2, .3}), at::tensor({7, 8, 9}, at::kLong)};
  const Candidates kept = WithSides(all, 2);
  EXPECT_TRUE(kept.boxes.equal(all.boxes.narrow(0, 0, 1)));
  EXPECT_TRUE(kept.scores.equal(at::tensor({.1})));
  EXPECT_TRUE(kept.labels.equal(at::tensor({7}, at::kLong)));
}

// The second box of label 1 overlaps the first by 0.8, the box of label 2 is the same one.
TEST(ChosenDetectionsTest, AreTheBestOfEachLabelThenNothing) {
  const Candidates level = {at::tensor({0., 0., 10., 10., 0., 0., 10., 8.}).view({2, 4}),
                            at::tensor({.5, .9}), at::tensor({1, 1}, at::kLong)};
  const Candidates coarser = {at::tensor({0., 0., 10., 8.}).view({1, 4}), at::tensor({.7}),
                              at::tensor({2}, at::kLong)};
  const at::Tensor best = at::tensor({1., .9, 0., 0., 10., 8.}),
                   other = at::tensor({2., .7, 0., 0., 10., 8.}),
                   none = at::tensor({-1., 0., 0., 0., 0., 0.});
  const at::Tensor all = ChosenDetections({level, coarser}, {.nms_threshold = 0.5, .most = 3});
  EXPECT_EQ(all.sizes(), at::IntArrayRef({3, 6}));
  EXPECT_TRUE(all[0].equal(best) && all[1].equal(other) && all[2].equal(none));
  const at::Tensor one = ChosenDetections({level, coarser}, {.nms_threshold = 0.5, .most = 1});
  EXPECT_TRUE(one.equal(best.unsqueeze(0)));
  EXPECT_EQ(ChosenDetections({level}, {.nms_threshold = 0.9, .most = 2})[1][1].item<double>(), 0.5);
}

}  // namespace
}  // namespace assay::models
