#include "models/layers/layer.h"

#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/layers/batch_norm2d.h"
#include "models/layers/conv2d.h"
#include "models/layers/layered_model.h"
#include "models/layers/linear.h"

namespace assay::models {
namespace {

class Inner final : public Layer {
 public:
  Inner(Layer& parent, std::string name)
      : Layer(parent, std::move(name)), dense_(*this, "dense", {.in = 3, .out = 2}) {
    // Registered after the child, yet a layer's own tensors come first.
    AddParameter("scale", {4}, {2, 1, 0.5}, scale_);
  }

 private:
  Linear dense_;
  at::Tensor scale_;
};

class Outer final : public LayeredModel {
 public:
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override { return inputs.vec(); }

  Inner inner_{*this, "inner.0"};
  BatchNorm2d norm_{*this, "norm", {.channels = 2, .gain = 0.3}};
  Conv2d conv_{*this, "conv", {.in = 8, .out = 4, .kernel = 3, .groups = 2}};
};

std::vector<std::string> Names(Model& model) {
  std::vector<std::string> names;
  for (const NamedTensor& entry : model.State()) names.push_back(entry.name);
  return names;
}

TEST(LayerTest, StateIsOwnTensorsThenChildrenInTheOrderOfDeclaration) {
  Outer model;
  EXPECT_THAT(Names(model),
              testing::ElementsAre("inner.0.scale", "inner.0.dense.weight", "inner.0.dense.bias",
                                   "norm.weight", "norm.bias", "norm.running_mean",
                                   "norm.running_var", "norm.num_batches_tracked", "conv.weight"));
}

TEST(LayerTest, StateSharesMemoryWithTheLayers) {
  Outer model;
  model.State()[0].tensor.fill_(7);
  EXPECT_EQ(model.State()[0].tensor[3].item<float>(), 7);
}

TEST(LayerTest, OnlyParametersAreTrainable) {
  Outer model;
  const std::vector<NamedTensor> state = model.State();
  for (int i : {0, 1, 2, 3, 4, 8}) EXPECT_TRUE(state[i].trainable) << state[i].name;
  for (int i : {5, 6, 7}) EXPECT_FALSE(state[i].trainable) << state[i].name;
}

TEST(LayerTest, RecipesFollowTheKindOfTensor) {
  Outer model;
  const std::vector<NamedTensor> state = model.State();
  const double root3 = 1.7320508075688772;
  EXPECT_EQ(state[0].init, (Init{2, 1, 0.5}));
  EXPECT_EQ(state[1].init, (Init{root3 / root3, 0, 1}));  // fan in 3
  EXPECT_EQ(state[2].init, (Init{root3 * 0.1, 0, 1}));
  EXPECT_EQ(state[3].init, (Init{0.3, 1, 0.5}));
  EXPECT_EQ(state[6].init, (Init{1, 1, 0.5}));
  EXPECT_EQ(state[8].init, (Init{root3 / 6, 0, 1}));  // fan in 8 / 2 * 3 * 3
}

TEST(LayerTest, NewTensorsAreFloat32AndCountersStartAtZero) {
  Outer model;
  for (const NamedTensor& entry : model.State()) {
    if (entry.name == "norm.num_batches_tracked") {
      EXPECT_EQ(entry.tensor.scalar_type(), at::kLong);
      EXPECT_EQ(entry.tensor.item<int64_t>(), 0);
    } else {
      EXPECT_EQ(entry.tensor.scalar_type(), at::kFloat) << entry.name;
    }
    EXPECT_FALSE(entry.tensor.requires_grad()) << entry.name;
  }
}

TEST(LayerTest, MovesChangeTheDtypeOfFloatingPointTensorsOnly) {
  Outer model;
  for (NamedTensor& entry : model.State()) entry.tensor.fill_(3);
  model.To(at::kCPU, at::kBFloat16);
  for (const NamedTensor& entry : model.State()) {
    const bool counter = entry.name == "norm.num_batches_tracked";
    EXPECT_EQ(entry.tensor.scalar_type(), counter ? at::kLong : at::kBFloat16) << entry.name;
    EXPECT_EQ(entry.tensor.sum().item<double>(), 3.0 * entry.tensor.numel()) << entry.name;
  }
}

TEST(LayerTest, MovesChangeTheDeviceOfAllTensors) {
  Outer model;
  model.To(at::kMeta, at::kHalf);
  for (const NamedTensor& entry : model.State()) {
    EXPECT_TRUE(entry.tensor.is_meta()) << entry.name;
  }
}

TEST(LayerTest, MovesOfTrainedParametersGiveNewLeaves) {
  Outer model;
  model.State()[1].tensor.requires_grad_(true);
  model.To(at::kCPU, at::kDouble);
  EXPECT_TRUE(model.State()[1].tensor.is_leaf());
  EXPECT_FALSE(model.State()[1].tensor.requires_grad());
}

}  // namespace
}  // namespace assay::models
