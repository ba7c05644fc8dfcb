#include "models/layers/detection/proposal_network.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Formatting.h>
#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "models/layers/core/layered_model.h"

namespace assay::models {
namespace {

class OneMapNetwork final : public LayeredModel {
 public:
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override { return inputs.vec(); }

  ProposalNetwork proposals{*this, "rpn.head", {.channels = 1, .pyramid = false}};
};

double EntropyOf(double score, bool object) {
  return std::log1p(std::exp(object ? -score : score));
}

// One cell has 15 anchors of an image whose corner it is: of each of three ratios five sizes. The objects are the sixth
// and the tenth of them. The two of the same size and another ratio lie between object and background.
TEST(ProposalNetworkTest, LossesAreMeansOverTheAnchorsThatCount) {
  const OneMapNetwork network;
  const at::Tensor objects =
      at::tensor({-16., -16., 16., 16., -256., -256., 256., 256.}).view({2, 1, 4});
  AnchorNumbers level = {at::full({2, 15}, -1., at::kDouble), at::zeros({2, 15, 4}, at::kDouble), 1,
                         1};
  for (const int64_t between : {0, 10}) level.scores[0][between] = 50;
  for (const int64_t between : {4, 14}) level.scores[1][between] = 50;
  level.scores[0][5] = 2;
  level.scores[1][9] = 0;
  level.codes[0][5].copy_(at::tensor({.05, -1., 0., 2.}));
  level.codes[0][6].fill_(100);
  level.codes[1][9].fill_(.1);
  const std::vector<at::Tensor> losses = network.proposals.Losses({level}, {32, 32}, objects);
  ASSERT_EQ(losses.size(), 2);
  const double entropy = EntropyOf(2, true) + EntropyOf(0, true) + 24 * EntropyOf(-1, false);
  EXPECT_NEAR(losses[0].item<double>(), entropy / 26, 1e-12);
  // Up to a ninth the loss of a code is 4.5 of its square, then the code less an eighteenth.
  const double codes = 4.5 * .0025 + (1 - 1. / 18) + (2 - 1. / 18) + 4 * 4.5 * .01;
  EXPECT_NEAR(losses[1].item<double>(), codes / 26, 1e-12);
}

// 128 of 256 anchors at most show an object.
TEST(ProposalNetworkTest, ALossCounts256AnchorsOfAnImage) {
  const OneMapNetwork network;
  const at::Tensor objects = at::tensor({0., 0., 32., 32.}).view({1, 1, 4});
  at::Tensor scores = at::zeros({1, 15 * 10 * 12}, at::kDouble);
  scores.requires_grad_(true);
  const AnchorNumbers level = {scores, at::zeros({1, 15 * 10 * 12, 4}, at::kDouble), 10, 12};
  network.proposals.Losses({level}, {320, 384}, objects)[0].backward();
  EXPECT_EQ(scores.grad().ne(0).sum().item<int64_t>(), 256);
  const int64_t shown = scores.grad().lt(0).sum().item<int64_t>();
  EXPECT_GT(shown, 0);
  EXPECT_LT(shown, 10);
  // The last quarter of the cells has its share of background.
  EXPECT_GT(scores.grad().narrow(1, 15 * 90, 15 * 30).gt(0).sum().item<int64_t>(), 40);
}

// A map of 40 x 40 cells has 24000 anchors, each a four hundredth of its size, so that none overlaps another by much.
TEST(ProposalNetworkTest, ALevelHasMoreCandidatesInTraining) {
  OneMapNetwork network;
  at::Tensor codes = at::zeros({1, 15 * 1600, 4}, at::kDouble);
  codes.narrow(2, 2, 2).fill_(-6);
  const AnchorNumbers level = {at::zeros({1, 15 * 1600}, at::kDouble), codes, 40, 40};
  const auto count = [&] {
    return network.proposals.Proposals({level}, {640, 640}, 3000)[0]
        .select(1, 0)
        .ge(0)
        .sum()
        .item<int64_t>();
  };
  network.SetTraining(false);
  const int64_t evaluating = count();
  network.SetTraining(true);
  const int64_t learning = count();
  EXPECT_LE(evaluating, 1000);
  EXPECT_GT(evaluating, 0);
  EXPECT_LE(learning, 2000);
  EXPECT_GT(learning, evaluating);
}

TEST(ProposalNetworkTest, ProposalsHaveNoGradient) {
  const OneMapNetwork network;
  at::Tensor codes = at::zeros({1, 15, 4}, at::kDouble);
  codes.requires_grad_(true);
  const AnchorNumbers level = {at::zeros({1, 15}, at::kDouble).requires_grad_(true), codes, 1, 1};
  EXPECT_FALSE(network.proposals.Proposals({level}, {32, 32}, 5).requires_grad());
}

}  // namespace
}  // namespace assay::models
