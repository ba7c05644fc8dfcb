#include "models/layers/core/dropout.h"

#include <ATen/Context.h>
#include <ATen/ops/ones.h>
#include <c10/core/InferenceMode.h>

#include <cmath>

#include "gtest/gtest.h"
#include "models/layers/core/layered_model.h"

namespace assay::models {
namespace {

class Dropping final : public LayeredModel {
 public:
  explicit Dropping(double probability) : dropout_(*this, probability) { at::manual_seed(0); }
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    return {dropout_.Forward(inputs[0])};
  }
  Dropout dropout_;
};

constexpr int64_t kElements = 1 << 18;

TEST(Dropout, TrainingDropsItsShareAndScalesTheRest) {
  for (const double probability : {0.1, 0.5, 0.9}) {
    Dropping model(probability);
    model.SetTraining(true);
    const at::Tensor y = model.Forward({at::ones({kElements})})[0];
    const double dropped = y.eq(0).sum().item<double>() / kElements;
    // Six standard deviations of a binomial share.
    EXPECT_NEAR(dropped, probability, 6 * std::sqrt(probability * (1 - probability) / kElements));
    EXPECT_FLOAT_EQ(y.max().item<float>(), 1 / (1 - probability));
    EXPECT_EQ(y.masked_select(y.ne(0)).min().item<float>(), y.max().item<float>());
    EXPECT_FALSE(y.equal(model.Forward({at::ones({kElements})})[0])) << "each call draws anew";
  }
}

TEST(Dropout, TheGradientIsDroppedAndScaledAlike) {
  Dropping model(0.25);
  model.SetTraining(true);
  const at::Tensor x = at::ones({1000}).requires_grad_(true);
  const at::Tensor y = model.Forward({x})[0];
  y.sum().backward();
  EXPECT_TRUE(x.grad().equal(y.detach()));
}

TEST(Dropout, EvaluationReturnsItsInput) {
  Dropping model(0.5);
  const at::Tensor x = at::ones({100});
  EXPECT_TRUE(model.Forward({x})[0].is_same(x)) << "a new model evaluates";
  model.SetTraining(true);
  model.SetTraining(false);
  EXPECT_TRUE(model.Forward({x})[0].is_same(x));
}

TEST(Dropout, MayBeSwitchedOffInTraining) {
  Dropping model(0.5);
  model.SetTraining(true);
  const at::Tensor x = at::ones({100});
  EXPECT_FALSE(model.SetDropout(false));
  EXPECT_TRUE(model.Forward({x})[0].is_same(x));
  EXPECT_TRUE(model.SetDropout(true));
  EXPECT_FALSE(model.Forward({x})[0].equal(x));
  EXPECT_FALSE(Dropping(0).SetDropout(true)) << "it never draws";
}

TEST(Dropout, FollowsTrainingAndNotGradientMode) {
  Dropping model(0.5);
  model.SetTraining(true);
  const c10::InferenceMode guard;
  EXPECT_TRUE(model.Forward({at::ones({kElements})})[0].eq(0).any().item<bool>());
}

TEST(Dropout, OperatorsGetTheProbabilityInTrainingOnly) {
  Dropping model(0.3);
  EXPECT_EQ(model.dropout_.active_probability(), 0);
  model.SetTraining(true);
  EXPECT_EQ(model.dropout_.active_probability(), 0.3);
}

TEST(Dropout, WithProbabilityZeroIsTheIdentity) {
  Dropping model(0);
  model.SetTraining(true);
  const at::Tensor x = at::ones({100});
  EXPECT_TRUE(model.Forward({x})[0].is_same(x));
}

TEST(Dropout, HasNoState) { EXPECT_TRUE(Dropping(0.1).State().empty()); }

TEST(DropoutDeathTest, RefusesWhatIsNoProbability) {
  EXPECT_DEATH(Dropping(1), "probability 1 is not in");
  EXPECT_DEATH(Dropping(-0.1), "probability -0.1 is not in");
  EXPECT_DEATH(Dropping(std::nan("")), "not in");
}

}  // namespace
}  // namespace assay::models
