#include "benchmarks/harness/goldens/training_watch.h"

#include <ATen/Parallel.h>
#include <ATen/ops/ones.h>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/layers/core/batch_norm2d.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/sequence/attention.h"
#include "models/layers/vision/stochastic_depth.h"

namespace assay::goldens {
namespace {

using models::BatchNorm2d;
using models::Dropout;
using models::LayeredModel;
using models::LayerNorm;
using models::StochasticDepth;
using testing::ElementsAre;

class Norms final : public LayeredModel {
 public:
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    at::Tensor x = first_.Forward(second_.Forward(inputs[0]));  // not the state's order
    x = last_.ForwardOverChannels(odd_.Forward(x));
    return {third_.Forward(x)};
  }
  BatchNorm2d first_{*this, "stem.0", {.channels = 2}};
  BatchNorm2d second_{*this, "stem.1", {.channels = 2}};
  BatchNorm2d odd_{*this, "odd", {.channels = 2, .momentum = 0.01}};
  BatchNorm2d third_{*this, "third", {.channels = 2}};
  LayerNorm last_{*this, "last", {.features = 2, .eps = 1e-12}};
};

TEST(TrainingWatch, ShowsNumbersOfEachNormInRunsOfEqualOnes) {
  Norms model;
  EXPECT_THAT(TrainingLines(model, {at::ones({2, 2, 3, 3})}),
              ElementsAre("norm batch_norm eps 1e-05 momentum 0.1 x2 stem.0 .. stem.1",
                          "norm batch_norm eps 1e-05 momentum 0.01 x1 odd",
                          "norm batch_norm eps 1e-05 momentum 0.1 x1 third",
                          "norm layer_norm eps 1e-12 x1 last"));
}

class Drops final : public LayeredModel {
 public:
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    at::Tensor x = depth_.Forward(depth_.Forward(dropout_.Forward(inputs[0])));
    x = never_.Forward(deeper_.Forward(x));
    return {models::Attend(x, x, x, {.heads = 2, .dropout = weights_.active_probability()})};
  }
  Dropout dropout_{*this, 0.5};
  StochasticDepth depth_{*this, 0.1};
  StochasticDepth deeper_{*this, 0.2};
  Dropout never_{*this, 0};
  Dropout weights_{*this, 0.25};  // of attention
};

TEST(TrainingWatch, ShowsWhatIsDroppedAndOfWhat) {
  Drops model;
  EXPECT_THAT(TrainingLines(model, {at::ones({2, 3, 4})}),
              ElementsAre("drops elements 0.5, 0.25", "drops rows 0.1 x2, 0.2"));
  model.SetDropout(false);
  EXPECT_THAT(TrainingLines(model, {at::ones({2, 3, 4})}), ElementsAre());
}

}  // namespace
}  // namespace assay::goldens
