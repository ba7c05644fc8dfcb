#include "models/layers/vision/stochastic_depth.h"

#include <ATen/Context.h>
#include <ATen/ops/ones.h>

#include <cmath>

#include "gtest/gtest.h"
#include "models/layers/core/layered_model.h"

namespace assay::models {
namespace {

class DroppingRows final : public LayeredModel {
 public:
  explicit DroppingRows(double probability) : stochastic_depth_(*this, probability) {
    at::manual_seed(0);
  }
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    return {stochastic_depth_.Forward(inputs[0])};
  }
  StochasticDepth stochastic_depth_;
};

constexpr int64_t kRows = 1 << 14;

TEST(StochasticDepth, TrainingDropsWholeRowsAndScalesTheRest) {
  for (const double probability : {0.1, 0.5}) {
    DroppingRows model(probability);
    model.SetTraining(true);
    const at::Tensor y = model.Forward({at::ones({kRows, 2, 3})})[0].flatten(1);
    EXPECT_TRUE(y.amin(1).equal(y.amax(1))) << "a row is dropped as a whole";
    EXPECT_FLOAT_EQ(y.max().item<float>(), 1 / (1 - probability));
    const double dropped = y.select(1, 0).eq(0).sum().item<double>() / kRows;
    // Six standard deviations of a binomial share.
    EXPECT_NEAR(dropped, probability, 6 * std::sqrt(probability * (1 - probability) / kRows));
  }
}

TEST(StochasticDepth, EvaluationReturnsItsInput) {
  DroppingRows model(0.5);
  const at::Tensor x = at::ones({100, 2});
  EXPECT_TRUE(model.Forward({x})[0].is_same(x)) << "a new model evaluates";
}

TEST(StochasticDepth, MayBeSwitchedOffInTraining) {
  DroppingRows model(0.5);
  model.SetTraining(true);
  const at::Tensor x = at::ones({100, 2});
  EXPECT_FALSE(model.SetDropout(false));
  EXPECT_TRUE(model.Forward({x})[0].is_same(x));
  EXPECT_TRUE(model.SetDropout(true));
  EXPECT_FALSE(DroppingRows(0).SetDropout(true)) << "it never draws";
}

TEST(StochasticDepth, ProbabilitiesRiseEvenly) {
  EXPECT_EQ(StochasticDepthProbability(0.2, 0, 4), 0);
  EXPECT_DOUBLE_EQ(StochasticDepthProbability(0.2, 3, 4), 0.15);
}

TEST(StochasticDepthDeathTest, RefusesWhatIsNoProbability) {
  EXPECT_DEATH(DroppingRows(1), "probability 1 is not in");
  EXPECT_DEATH(DroppingRows(std::nan("")), "not in");
}

}  // namespace
}  // namespace assay::models
