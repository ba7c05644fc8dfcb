#include "models/layers/sequence/recurrent.h"

#include <ATen/ops/equal.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/ones.h>

#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/layers/core/layered_model.h"

namespace assay::models {
namespace {

constexpr int64_t kIn = 5, kHidden = 3, kGatesOfAGru = 3, kGatesOfALstm = 4;

class TwoLayers final : public LayeredModel {
 public:
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    return {gru_.Forward(lstm_.Forward(inputs[0]))};
  }

 private:
  Lstm lstm_{*this, "lstm", {.in = kIn, .hidden = kHidden}};
  Gru gru_{*this, "gru", {.in = kHidden, .hidden = 2}};
};

class BothWays final : public LayeredModel {
 public:
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    return {lstm_.Forward(inputs[0])};
  }

 private:
  Lstm lstm_{*this, "lstm", {.in = kIn, .hidden = kHidden, .layers = 2, .both_ways = true}};
};

// A layer that counts its moves and notes what its tensor was then.
class Counting final : public LayeredModel {
 public:
  Counting() { AddParameter("weight", {2}, Init(), weight_); }
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor>) override { return {}; }
  void Moved() override { seen.push_back(weight_.scalar_type()); }

  std::vector<at::ScalarType> seen;

 private:
  at::Tensor weight_;
};

TEST(Moved, IsCalledOnceTheTensorsAreOfTheNewDtype) {
  Counting layer;
  layer.To(at::kCPU, at::kDouble);
  layer.To(at::kCPU, at::kBFloat16);
  EXPECT_THAT(layer.seen, testing::ElementsAre(at::kDouble, at::kBFloat16));
}

// cudnnRNNMode_t of cudnn_adv.h: CUDNN_RNN_RELU, CUDNN_RNN_TANH, CUDNN_LSTM, CUDNN_GRU, from 0 on.
TEST(CudnnRecurrent, KnowsALayerByItsGates) {
  const CudnnRecurrent lstm = CudnnRecurrentOf(kGatesOfALstm, {.in = kIn, .hidden = kHidden});
  EXPECT_EQ(lstm.mode, 2);
  EXPECT_EQ(lstm.in, kIn);
  EXPECT_EQ(lstm.hidden, kHidden);
  EXPECT_EQ(CudnnRecurrentOf(kGatesOfAGru, {.in = kIn, .hidden = kHidden}).mode, 3);
}

TEST(Recurrent, ReadsBackwardsWhatItReadsForwards) {
  BothWays model;
  std::vector<NamedTensor> state = model.State();
  ASSERT_EQ(state.size(), 16u);
  EXPECT_EQ(state[4].name, "lstm.weight_ih_l0_reverse");
  EXPECT_EQ(state[8].name, "lstm.weight_ih_l1");
  EXPECT_EQ(state[8].tensor.sizes(), at::IntArrayRef({kGatesOfALstm * kHidden, 2 * kHidden}));
  // Both directions are alike, and the second layer does not tell whose units it reads.
  for (size_t i = 0; i < state.size(); ++i) {
    const at::Tensor& tensor = state[i].tensor;
    tensor.copy_(at::linspace(-0.5, 0.5, tensor.size(0))
                     .view({-1, 1})
                     .expand({-1, tensor.numel() / tensor.size(0)})
                     .view_as(tensor));
  }
  const at::Tensor x = at::linspace(-1, 1, 2 * 4 * kIn).view({2, 4, kIn});
  const at::Tensor y = model.Forward({x})[0], reversed = model.Forward({x.flip(1)})[0];
  EXPECT_EQ(y.sizes(), at::IntArrayRef({2, 4, 2 * kHidden}));
  EXPECT_TRUE(y.narrow(2, 0, kHidden).allclose(reversed.narrow(2, kHidden, kHidden).flip(1)));
  EXPECT_FALSE(y.narrow(2, 0, kHidden).allclose(reversed.narrow(2, 0, kHidden)));
}

TEST(Recurrent, IsLaidOutForCudnnOnCudaAlone) {
  TwoLayers model;
  for (NamedTensor& entry : model.State()) entry.tensor.fill_(0.25);
  const std::vector<at::Tensor> inputs = {at::ones({2, 4, kIn}, at::kDouble)};
  model.To(at::kCPU, at::kDouble);
  const at::Tensor before = model.Forward(inputs)[0];
  model.To(at::kCPU, at::kDouble);
  std::set<const void*> storages;
  std::vector<std::string> names;
  for (const NamedTensor& entry : model.State()) {
    names.push_back(entry.name);
    storages.insert(entry.tensor.storage().data());
    EXPECT_TRUE(entry.tensor.is_contiguous());
  }
  EXPECT_EQ(storages.size(), names.size()) << "on the CPU each tensor has memory of its own";
  EXPECT_THAT(names, testing::ElementsAre("lstm.weight_ih_l0", "lstm.weight_hh_l0",
                                          "lstm.bias_ih_l0", "lstm.bias_hh_l0", "gru.weight_ih_l0",
                                          "gru.weight_hh_l0", "gru.bias_ih_l0", "gru.bias_hh_l0"));
  EXPECT_TRUE(at::equal(model.Forward(inputs)[0], before));
}

}  // namespace
}  // namespace assay::models
