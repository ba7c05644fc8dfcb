#include "benchmarks/harness/costs/layer_trace.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "benchmarks/harness/base/torch_status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/layers/detection/roi_align.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::costs {
namespace {

using models::NamedTensor;
using testing::ElementsAre;

at::Tensor Drawn(at::IntArrayRef shape) { return at::randn(shape); }

NamedTensor Parameter(std::string name, at::Tensor tensor) {
  return {.name = std::move(name), .tensor = std::move(tensor), .trainable = true};
}

// Traces `call` and returns the calls of its layers; expects success.
std::vector<LayerCall> Traced(const std::vector<NamedTensor>& state,
                              const execution::Tensors& inputs, const std::function<void()>& call) {
  std::vector<LayerCall> calls;
  const absl::Status traced = TraceLayers(
      state, inputs, [&] { return base::CatchTorch("calling", call); },
      [&calls](const LayerCall& one) {
        calls.push_back(one);
        return absl::OkStatus();
      });
  EXPECT_TRUE(traced.ok()) << traced;
  return calls;
}

// "name#number" of each call.
std::vector<std::string> Names(const std::vector<LayerCall>& calls) {
  std::vector<std::string> names;
  for (const LayerCall& call : calls)
    names.push_back(call.layer + "#" + std::to_string(call.number));
  return names;
}

void ExpectSame(const at::Tensor& traced, const at::Tensor& tensor) {
  EXPECT_EQ(traced.scalar_type(), at::kDouble);
  EXPECT_TRUE(at::equal(traced, tensor.to(at::kDouble)));
}

TEST(LayerTrace, SeesTheLayersOfAModelInTheirOrderWithWhatGoesInAndComesOut) {
  models::Parameters parameters;
  for (const char* name : {"in_features", "hidden_features", "out_features"})
    parameters.Set(name, int64_t{3});
  auto model = models::Create("mlp", parameters);
  ASSERT_TRUE(model.ok()) << model.status();
  const std::vector<NamedTensor> state = (*model)->State();
  for (const NamedTensor& entry : state) entry.tensor.normal_();
  const at::Tensor x = Drawn({2, 3});
  const std::vector<LayerCall> calls = Traced(state, {x}, [&] { (*model)->Forward({x}); });
  ASSERT_THAT(Names(calls), ElementsAre("0#0", "2#0", "4#0"));
  const at::Tensor first = at::linear(x, state[0].tensor, state[1].tensor);
  ExpectSame(calls[0].inputs.at(0), x);
  ExpectSame(calls[0].output, first);
  ASSERT_EQ(calls[1].inputs.size(), 1);
  ExpectSame(calls[1].inputs[0], first.relu());
}

TEST(LayerTrace, WhatIsComputedOfALayersTensorsAloneBelongsToIt) {
  const std::vector<NamedTensor> state = {Parameter("conv.weight", Drawn({4, 3, 1, 1})),
                                          Parameter("conv.gain", Drawn({4, 1, 1, 1}))};
  const at::Tensor x = Drawn({1, 3, 2, 2});
  at::Tensor y;
  const std::vector<LayerCall> calls = Traced(state, {x}, [&] {
    const at::Tensor filter = state[0].tensor.sub(state[0].tensor.mean()).mul(state[1].tensor);
    y = at::conv2d(x, filter);
  });
  ASSERT_THAT(Names(calls), ElementsAre("conv#0"));
  ASSERT_EQ(calls[0].inputs.size(), 1);
  ExpectSame(calls[0].inputs[0], x);
  ExpectSame(calls[0].output, y);
}

// RoiAlign() is no operator of LibTorch.
TEST(LayerTrace, WhatIsAlignedDependsOnItsFeatures) {
  const std::vector<NamedTensor> state = {Parameter("a.weight", Drawn({4, 3, 1, 1})),
                                          Parameter("b.weight", Drawn({4, 4, 1, 1})),
                                          {.name = "norm.scale", .tensor = Drawn({4, 1, 1})}};
  const at::Tensor x = Drawn({1, 3, 8, 8}), regions = at::zeros({2, 5});
  regions.narrow(1, 3, 2).fill_(6);
  for (const bool differentiates : {false, true}) {
    state[0].tensor.set_requires_grad(differentiates);
    at::Tensor aligned;
    const std::vector<LayerCall> calls = Traced(state, {x}, [&] {
      const at::Tensor features = at::conv2d(x, state[0].tensor);
      aligned =
          models::RoiAlign(features, regions, 1, 2, 2, /*sampling_ratio=*/2, /*aligned=*/false);
      at::conv2d(aligned, state[1].tensor).mul(state[2].tensor);
    });
    ASSERT_THAT(Names(calls), ElementsAre("a#0", "b#0", "norm.scale#0"));
    ASSERT_EQ(calls[1].inputs.size(), 1);
    ExpectSame(calls[1].inputs[0], aligned);
  }
}

TEST(LayerTrace, OperatorsOfOneLayerThatFollowEachOtherAreOneCall) {
  const std::vector<NamedTensor> state = {Parameter("a.weight", Drawn({3, 3})),
                                          Parameter("a.bias", Drawn({3})),
                                          Parameter("b.weight", Drawn({3, 3}))};
  const at::Tensor x = Drawn({2, 3});
  at::Tensor a;
  const std::vector<LayerCall> calls = Traced(state, {x}, [&] {
    a = at::mm(x, state[0].tensor.t()).add(state[1].tensor);
    at::linear(a.relu(), state[2].tensor);
  });
  ASSERT_THAT(Names(calls), ElementsAre("a#0", "b#0"));
  ExpectSame(calls[0].inputs.at(0), x);
  ExpectSame(calls[0].output, a);
}

TEST(LayerTrace, CallsOfALayerAreNumberedAndATiedTensorHasItsFirstName) {
  std::vector<NamedTensor> state = {Parameter("a.weight", Drawn({3, 3})),
                                    Parameter("b.weight", Drawn({3, 3}))};
  state.push_back({.name = "head.weight", .tensor = state[0].tensor, .alias = true});
  const at::Tensor x = Drawn({2, 3});
  const std::vector<LayerCall> calls = Traced(state, {x}, [&] {
    const at::Tensor y = at::linear(at::linear(x, state[0].tensor), state[1].tensor);
    at::linear(y, state[2].tensor);
  });
  EXPECT_THAT(Names(calls), ElementsAre("a#0", "b#0", "a#1"));
}

TEST(LayerTrace, ACallWithoutAWeightIsNamedAfterTheLargestTensorThatItReads) {
  const std::vector<NamedTensor> state = {Parameter("class_token", Drawn({1, 1, 4})),
                                          Parameter("positions", Drawn({1, 3, 4})),
                                          Parameter("block.gamma", Drawn({4}))};
  const at::Tensor x = Drawn({2, 2, 4});
  at::Tensor tokens;
  const std::vector<LayerCall> calls = Traced(state, {x}, [&] {
    tokens = at::concat({state[0].tensor.expand({2, 1, 4}), x}, 1).add(state[1].tensor);
    at::mul(tokens, state[2].tensor);
  });
  ASSERT_THAT(Names(calls), ElementsAre("positions#0", "block.gamma#0"));
  ASSERT_EQ(calls[0].inputs.size(), 1);
  ExpectSame(calls[0].inputs[0], x);
  ExpectSame(calls[0].output, tokens);
}

TEST(LayerTrace, OfSeveralLayersItIsThatOfTheLargestParameter) {
  const std::vector<NamedTensor> state = {
      Parameter("attention.q_bias", Drawn({4})),
      Parameter("attention.qkv.weight", Drawn({4, 4})),
      {.name = "attention.coordinates", .tensor = Drawn({9, 2})},
      Parameter("attention.network.weight", Drawn({2, 2})),
  };
  const at::Tensor x = Drawn({2, 4});
  const std::vector<LayerCall> calls = Traced(state, {x}, [&] {
    at::linear(x, state[1].tensor, state[0].tensor);
    at::linear(state[2].tensor, state[3].tensor);
  });
  ASSERT_THAT(Names(calls), ElementsAre("attention.qkv#0", "attention.network#0"));
  // Nothing that it reads depends on the program's inputs, so the other layer's tensor is its
  // input.
  ASSERT_EQ(calls[1].inputs.size(), 1);
  ExpectSame(calls[1].inputs[0], state[2].tensor);
}

TEST(LayerTrace, CopiesAreOfTheMomentWhateverIsWrittenInPlaceLater) {
  const std::vector<NamedTensor> state = {Parameter("a.weight", Drawn({3, 3})),
                                          Parameter("b.table", Drawn({2, 3}))};
  const at::Tensor x = Drawn({2, 3});
  const at::Tensor given = x.clone();
  const std::vector<LayerCall> calls = Traced(state, {x}, [&] {
    at::Tensor y = at::linear(x, state[0].tensor);
    y.add_(state[1].tensor);
    x.zero_();
    y.zero_();
  });
  ASSERT_THAT(Names(calls), ElementsAre("a#0", "b.table#0"));
  ExpectSame(calls[0].inputs.at(0), given);
  ExpectSame(calls[0].output, at::linear(given, state[0].tensor));
  ExpectSame(calls[1].inputs.at(0), at::linear(given, state[0].tensor));
  ExpectSame(calls[1].output, at::linear(given, state[0].tensor).add(state[1].tensor));
}

TEST(LayerTrace, ConstantsDoNotGoIn) {
  const std::vector<NamedTensor> state = {Parameter("a.weight", Drawn({3, 3}))};
  const at::Tensor x = Drawn({2, 3}), elsewhere = Drawn({3, 3});
  const std::vector<LayerCall> calls = Traced(state, {x}, [&] {
    at::mm(elsewhere, state[0].tensor);                   // made from the layer's tensors only
    at::addmm(at::ones({2, 3}), x, state[0].tensor.t());  // made from the ones: no layer
  });
  ASSERT_THAT(Names(calls), ElementsAre("a#0"));
  ASSERT_EQ(calls[0].inputs.size(), 1);
  ExpectSame(calls[0].inputs[0], x);
}

TEST(LayerTrace, WhatTrainingWritesIntoTheStateStaysTheLayers) {
  std::vector<NamedTensor> state = {Parameter("bn.weight", at::ones({3}).requires_grad_(true)),
                                    Parameter("bn.bias", at::zeros({3})),
                                    {.name = "bn.running_mean", .tensor = at::zeros({3})},
                                    {.name = "bn.running_var", .tensor = at::ones({3})}};
  const at::Tensor x = Drawn({4, 3});
  const auto normalise = [&](const at::Tensor& of) {
    return at::batch_norm(of, state[0].tensor, state[1].tensor, state[2].tensor, state[3].tensor,
                          /*training=*/true, 0.1, 1e-5, false);
  };
  at::Tensor y;
  const std::vector<LayerCall> calls = Traced(state, {x}, [&] {
    state[2].tensor.lerp_(x.mean(0), 0.5);
    y = normalise(x.mul(2));
  });
  ASSERT_THAT(Names(calls), ElementsAre("bn#0"));  // both
  EXPECT_FALSE(calls[0].output.requires_grad());
  ExpectSame(calls[0].output, y.detach());
}

TEST(LayerTrace, GivesBackWhatWentWrong) {
  const std::vector<NamedTensor> state = {Parameter("a.weight", Drawn({3, 3}))};
  const at::Tensor x = Drawn({2, 3});
  const auto call = [&] {
    at::linear(x, state[0].tensor);
    return absl::OkStatus();
  };
  const auto take = [](const LayerCall&) { return absl::OkStatus(); };
  const auto full = [](const LayerCall&) { return absl::ResourceExhaustedError("full"); };
  EXPECT_TRUE(TraceLayers(state, {x}, call, take).ok());
  EXPECT_TRUE(absl::IsResourceExhausted(TraceLayers(state, {x}, call, full)));
  const auto wrong = [] { return absl::InternalError("wrong"); };
  EXPECT_TRUE(absl::IsInternal(TraceLayers(state, {x}, wrong, take)));
}

}  // namespace
}  // namespace assay::costs
