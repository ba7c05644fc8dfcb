#include "models/layers/core/layer.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/layers/core/batch_norm2d.h"
#include "models/layers/core/conv2d.h"
#include "models/layers/core/embedding.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"

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

TEST(LayerTest, NoTensorOfAFrozenLayerIsTrainable) {
  class Frozen final : public LayeredModel {
   public:
    Frozen() { Freeze(); }
    std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
      return inputs.vec();
    }
    Inner inner_{*this, "inner"};
  };
  Frozen model;
  for (const NamedTensor& entry : model.State()) EXPECT_FALSE(entry.trainable) << entry.name;
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

// A language model's output layer, tied to its embedding, beside buffers that hold their values.
class Tied final : public LayeredModel {
 public:
  Tied() {
    AddBuffer("positions", at::arange(5), positions_);
    AddBuffer("visible", at::ones({2, 2}, at::kBool).tril(), visible_);
    AddBuffer("frequencies", at::full({3}, 0.25), frequencies_);
  }
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    return {head_.Forward(words_.Forward(inputs[0]))};
  }

 private:
  at::Tensor positions_, visible_, frequencies_;
  Embedding words_{*this, "words", {.rows = 6, .features = 4}};
  Linear head_{*this, "head", {.in = 4, .out = 6, .tied_weight = &words_.weight()}};
};

// Names a tensor of its child, as module.decoder = module.embedding.weight does in Python.
class NamesItsChilds final : public LayeredModel {
 public:
  NamesItsChilds() { AddAlias("decoder", decoder_, words_.weight()); }
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override { return inputs.vec(); }

 private:
  at::Tensor decoder_;
  Embedding words_{*this, "words", {.rows = 6, .features = 4}};
};

TEST(TiedTest, TheStateListsBothNames) {
  Tied model;
  EXPECT_THAT(Names(model), testing::ElementsAre("positions", "visible", "frequencies",
                                                 "words.weight", "head.weight", "head.bias"));
  const std::vector<NamedTensor> state = model.State();
  EXPECT_TRUE(state[3].tensor.is_same(state[4].tensor));
  EXPECT_FALSE(state[3].alias);
  EXPECT_TRUE(state[4].alias);
}

TEST(TiedTest, OneTensorIsFilledTrainedAndCountedOnce) {
  Tied model;
  const std::vector<NamedTensor> state = model.State();
  EXPECT_TRUE(state[3].NeedsFilling());
  EXPECT_FALSE(state[4].NeedsFilling());
  EXPECT_TRUE(state[3].trainable);
  EXPECT_FALSE(state[4].trainable);
  // positions, visible, frequencies, the table that the head reads whole, the bias.
  EXPECT_EQ(BytesReadAtLeast(state), 5 * 8 + 4 + 3 * 4 + 6 * 4 * 4 + 6 * 4);
}

TEST(TiedTest, StaysOneTensorAfterMoves) {
  Tied model;
  for (NamedTensor& entry : model.State()) {
    if (entry.NeedsFilling()) entry.tensor.fill_(2);
  }
  for (const at::ScalarType dtype : {at::kDouble, at::kBFloat16, at::kBFloat16}) {
    model.To(at::kCPU, dtype);
    const std::vector<NamedTensor> state = model.State();
    EXPECT_TRUE(state[3].tensor.is_same(state[4].tensor));
    EXPECT_EQ(state[4].tensor.scalar_type(), dtype);
    const at::Tensor y = model.Forward({at::zeros({1}, at::kLong)})[0];
    EXPECT_EQ(y[0][0].item<double>(), 4 * 2 * 2 + 2) << "the head reads it";
  }
  model.To(at::kMeta, at::kHalf);
  EXPECT_TRUE(model.State()[4].tensor.is_meta());
}

TEST(TiedTest, ItsGradientIsTheSumOverItsUses) {
  Tied model;
  for (NamedTensor& entry : model.State()) {
    if (entry.NeedsFilling()) entry.tensor.fill_(2);
    if (entry.trainable) entry.tensor.requires_grad_(true);
  }
  model.Forward({at::zeros({1}, at::kLong)})[0].sum().backward();
  const at::Tensor gradient = model.State()[4].tensor.grad();
  // Row 0: looked up (the sum of six rows of twos), and read by the head as are all rows.
  EXPECT_TRUE(gradient[0].equal(at::full({4}, 12.0 + 2)));
  EXPECT_TRUE(gradient[5].equal(at::full({4}, 2.0)));
}

TEST(TiedTest, TheFirstNameIsTheTensorsOwn) {
  NamesItsChilds model;
  const std::vector<NamedTensor> state = model.State();
  ASSERT_THAT(Names(model), testing::ElementsAre("decoder", "words.weight"));
  EXPECT_TRUE(state[0].trainable && state[0].NeedsFilling() && !state[0].alias);
  EXPECT_EQ(state[0].init, (Init{1.7320508075688772, 0, 1}));
  EXPECT_TRUE(state[1].alias && !state[1].trainable);
  EXPECT_EQ(BytesReadAtLeast(state), 6 * 4 * 4) << "the parent may read all of it";
}

TEST(TiedTest, RefusesATableOfAnotherShape) {
  Outer parent;
  const at::Tensor table = at::zeros({6, 4});
  EXPECT_THROW(Linear(parent, "head", {.in = 6, .out = 4, .tied_weight = &table}), c10::Error);
}

TEST(GivenBufferTest, HoldsItsValueAndIsNeverFilled) {
  Tied model;
  const std::vector<NamedTensor> state = model.State();
  for (int i : {0, 1, 2}) {
    EXPECT_TRUE(state[i].given) << state[i].name;
    EXPECT_FALSE(state[i].NeedsFilling()) << state[i].name;
    EXPECT_FALSE(state[i].trainable) << state[i].name;
  }
  EXPECT_TRUE(state[0].tensor.equal(at::arange(5)));
}

TEST(GivenBufferTest, IntegersAndBooleansMoveWithoutACast) {
  Tied model;
  model.To(at::kCPU, at::kBFloat16);
  const std::vector<NamedTensor> state = model.State();
  EXPECT_TRUE(state[0].tensor.equal(at::arange(5)));
  EXPECT_TRUE(state[1].tensor.equal(at::ones({2, 2}, at::kBool).tril()));
  EXPECT_TRUE(state[2].tensor.equal(at::full({3}, 0.25, at::kBFloat16)));
  model.To(at::kMeta, at::kBFloat16);
  EXPECT_EQ(model.State()[0].tensor.scalar_type(), at::kLong);
  EXPECT_TRUE(model.State()[0].tensor.is_meta());
}

}  // namespace
}  // namespace assay::models
