#include "benchmarks/harness/programs/graph_program.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/bernoulli.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::execution {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Makes graphs: Leaf() and Input() give numbers, On() a call of an operator on them.
class GraphMaker {
 public:
  int Leaf(at::Tensor tensor) {
    const int value = graph_.NewValue();
    graph_.constants[static_cast<size_t>(value)] = std::move(tensor);
    return value;
  }
  int Input() {
    const int value = graph_.NewValue();
    graph_.inputs.push_back({.value = value});
    return value;
  }
  // `others`: what follows the tensors, which come first. Returns the number of the result.
  int On(const std::string& name, const std::string& overload, const std::vector<int>& tensors,
         c10::Stack others = {}) {
    GraphCall call{
        .handle = c10::Dispatcher::singleton().findSchemaOrThrow(name.c_str(), overload.c_str())};
    for (size_t i = 0; i < tensors.size(); ++i) {
      call.arguments.emplace_back();
      call.tensors.push_back({.argument = i, .values = {tensors[i]}});
    }
    call.arguments.insert(call.arguments.end(), others.begin(), others.end());
    const int result = graph_.NewValue();
    call.results = {{result}};
    call.result_is_list = {false};
    graph_.calls.push_back(std::move(call));
    return result;
  }
  GraphProgram Program(const std::vector<int>& outputs, std::vector<int> filled = {}) {
    graph_.outputs = outputs;
    graph_.FindLastUses();
    return GraphProgram(graph_, std::move(filled));
  }

 private:
  OperatorGraph graph_;
};

at::Tensor Constant(double value) { return at::full({2, 2}, value); }

bool HoldsOnly(const at::Tensor& tensor, double value) {
  return tensor.eq(value).all().item<bool>();
}

std::vector<std::string> LeafNames(GraphProgram& program) {
  std::vector<std::string> names;
  for (const models::NamedTensor& entry : program.State()) names.push_back(entry.name);
  return names;
}

TEST(GraphProgram, LeavesAreItsState) {
  GraphMaker maker;
  const int x = maker.Input(), w = maker.Leaf(Constant(2)), b = maker.Leaf(Constant(5));
  const int y = maker.On("aten::add", "Tensor", {maker.On("aten::mul", "Tensor", {x, w}), b}, {1});
  GraphProgram program = maker.Program({y}, {w});
  EXPECT_THAT(LeafNames(program), ElementsAre("leaf.1", "leaf.2"));
  EXPECT_TRUE(program.State()[0].NeedsFilling());
  EXPECT_FALSE(program.State()[1].NeedsFilling()) << "it was given its values";
  program.State()[0].tensor.fill_(3);
  EXPECT_TRUE(HoldsOnly(program.Outputs({Constant(4)})[0], 4 * 3 + 5));
  EXPECT_EQ(program.Contract(), StateContract::kPure);
}

TEST(GraphProgram, AViewIsOneMemoryWithItsBase) {
  GraphMaker maker;
  const at::Tensor base = at::arange(6, at::kFloat).view({2, 3});
  const int column = maker.Leaf(base.narrow(1, 1, 1)), whole = maker.Leaf(base),
            strided = maker.Leaf(at::ones({4, 4}).t().narrow(0, 1, 2));
  GraphProgram program = maker.Program({maker.On("aten::mul", "Tensor", {whole, column}), strided},
                                       {column, whole, strided});
  ASSERT_THAT(LeafNames(program), ElementsAre("leaf.0", "leaf.2"));
  for (const models::NamedTensor& entry : program.State())
    EXPECT_TRUE(entry.tensor.is_contiguous()) << entry.name << " is to be filled";
  EXPECT_EQ(program.State()[1].tensor.numel(), 16) << "all of its memory";
  program.To(at::kCPU, at::kDouble);
  program.State()[0].tensor.fill_(3);
  const Tensors outputs = program.Outputs({});
  EXPECT_TRUE(HoldsOnly(outputs[0], 9)) << "the view has the base's values after To()";
  EXPECT_EQ(outputs[0].scalar_type(), at::kDouble);
  EXPECT_EQ(outputs[1].strides(), at::IntArrayRef({1, 4}));
}

TEST(GraphProgram, AContiguousPartStandsForAllOfItsMemory) {
  GraphMaker maker;
  const at::Tensor first = at::ones({4}), second = at::ones({4});
  GraphProgram program =
      maker.Program({maker.Leaf(first.narrow(0, 0, 2)), maker.Leaf(second.narrow(0, 1, 3))});
  for (const models::NamedTensor& entry : program.State())
    EXPECT_EQ(entry.tensor.numel(), 4) << entry.name;
}

TEST(GraphProgram, LeavesOfIntegersKeepTheirDtype) {
  GraphMaker maker;
  GraphProgram program =
      maker.Program({maker.Leaf(at::ones({2}, at::kLong)), maker.Leaf(at::ones({2}))});
  program.To(at::kCPU, at::kDouble);
  EXPECT_EQ(program.State()[0].tensor.scalar_type(), at::kLong);
  EXPECT_EQ(program.State()[1].tensor.scalar_type(), at::kDouble);
}

TEST(GraphProgram, AMoveFreesWhatTheLastStepHeld) {
  const at::Tensor x = Constant(2), leaf = Constant(1);
  for (const std::string step : {"call.0", "call.1", "replay"}) {
    GraphMaker maker;
    const int in = maker.Input(), written = maker.Leaf(leaf);
    maker.On("aten::neg", "", {in});
    maker.On("aten::add_", "Tensor", {written, in}, {1});
    GraphProgram program = maker.Program({in, written});
    maker = GraphMaker();
    program.Begin(step, {x});
    program.Call(step, {x});
    program.To(at::kCPU, at::kDouble);
    EXPECT_EQ(x.use_count(), 1) << step;
    EXPECT_EQ(leaf.use_count(), 1) << step;
  }
}

TEST(GraphProgram, LeavesKeepTheirDtypesWhereNoneIsAsked) {
  GraphMaker maker;
  GraphProgram program =
      maker.Program({maker.Leaf(at::ones({2}, at::kHalf)), maker.Leaf(at::ones({2}, at::kDouble))});
  program.To(at::kCPU, at::ScalarType::Undefined);
  EXPECT_EQ(program.State()[0].tensor.scalar_type(), at::kHalf);
  EXPECT_EQ(program.State()[1].tensor.scalar_type(), at::kDouble);
}

TEST(GraphProgram, LeavesOfTwoDtypesInOneMemoryAreRefused) {
  GraphMaker maker;
  const at::Tensor floats = at::ones({4});
  const at::Tensor integers = at::empty({0}, at::kInt).set_(floats.storage(), 0, {4}, {1});
  const int a = maker.Leaf(floats), b = maker.Leaf(integers);
  GraphProgram program = maker.Program({a, b});
  try {
    program.To(at::kCPU, at::kDouble);
    FAIL();
  } catch (const c10::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("leaf.1 shares the memory of leaf.0"));
  }
}

// steps.add_(x); moments.view(4)[...].mul_(2); unread += nothing.
class Writing : public testing::Test {
 protected:
  Writing() {
    x_ = maker_.Input();
    steps_ = maker_.Leaf(Constant(1));
    moments_ = maker_.Leaf(Constant(3));
    still_ = maker_.Leaf(Constant(7));
    const int temporary = maker_.On("aten::mul", "Tensor", {x_, still_});
    maker_.On("aten::add_", "Tensor", {steps_, temporary}, {1});
    const int row = maker_.On("aten::select", "int", {moments_}, {0, 1});
    maker_.On("aten::mul_", "Tensor", {row, x_row()});
    relu_ = maker_.On("aten::relu_", "", {temporary});
  }
  int x_row() { return maker_.On("aten::select", "int", {x_}, {0, 0}); }

  // The names of the leaves that do not hold what they held at first.
  std::vector<std::string> Changed(GraphProgram& program) {
    std::vector<std::string> names;
    const double before[] = {1, 3, 7};
    const auto state = program.State();
    for (size_t i = 0; i < state.size(); ++i) {
      if (!HoldsOnly(state[i].tensor, before[i])) names.push_back(state[i].name);
    }
    return names;
  }

  GraphMaker maker_;
  int x_, steps_, moments_, still_, relu_;
};

TEST_F(Writing, ResetBringsBackWhatCallsWroteAndThatAlone) {
  GraphProgram program = maker_.Program({steps_, moments_, relu_});
  EXPECT_EQ(program.Contract(), StateContract::kResettable);
  program.Begin(kReplay, {Constant(2)});
  EXPECT_THAT(program.Written(kReplay), ElementsAre("leaf.1", "leaf.2"));
  EXPECT_THAT(Changed(program), IsEmpty()) << "the first replay is undone";
  program.Call(kReplay, {Constant(2)});
  EXPECT_THAT(Changed(program), ElementsAre("leaf.1", "leaf.2")) << "one of them through a view";
  program.State()[2].tensor.fill_(0);
  program.Reset();
  EXPECT_THAT(Changed(program), ElementsAre("leaf.3")) << "which no call writes";
}

TEST_F(Writing, EveryPreparedReplayComputesTheSame) {
  GraphProgram program = maker_.Program({steps_, moments_, relu_});
  const at::Tensor x = Constant(2);
  const Tensors want = program.Outputs({x});
  EXPECT_TRUE(HoldsOnly(want[0], 1 + 2 * 7));
  EXPECT_TRUE(HoldsOnly(want[1].select(0, 0), 3) && HoldsOnly(want[1].select(0, 1), 3 * 2));
  EXPECT_TRUE(HoldsOnly(x, 2)) << "inputs are never written to";
  program.Begin(kReplay, {x});
  Tensors seen;
  for (int call = 0; call < 2; ++call) {
    program.Prepare(kReplay, {x});
    EXPECT_THAT(program.Call(kReplay, {x}), IsEmpty()) << "it depends on the state";
    const auto outputs = program.Verified(kReplay, {});
    ASSERT_EQ(outputs.size(), want.size());
    for (const VerifiedOutput& output : outputs) {
      EXPECT_TRUE(output.tensor.equal(want[output.place])) << output.place;
      seen.push_back(output.tensor);
    }
  }
  program.Reset();
  EXPECT_TRUE(HoldsOnly(seen[0], 1 + 2 * 7)) << "an output is no view of the state";
}

TEST_F(Writing, WithoutPreparationTheStateGoesOn) {
  GraphProgram program = maker_.Program({steps_});
  program.Begin(kReplay, {Constant(2)});
  program.Call(kReplay, {Constant(2)});
  program.Call(kReplay, {Constant(2)});
  EXPECT_TRUE(HoldsOnly(program.State()[0].tensor, 1 + 2 * (2 * 7)));
}

TEST_F(Writing, OneCallHasTheArgumentsThatTheCallsBeforeItMade) {
  GraphProgram program = maker_.Program({steps_, moments_, relu_});
  const Tensors inputs = {Constant(2)};
  program.Begin("call.0", inputs);
  EXPECT_TRUE(HoldsOnly(program.Call("call.0", inputs)[0], 2 * 7));
  EXPECT_THAT(program.Written("call.0"), IsEmpty());
  EXPECT_THAT(program.Verified("call.0", {}), IsEmpty());
  program.Begin("call.1", inputs);
  EXPECT_THAT(program.Written("call.1"), ElementsAre("leaf.1"));
  for (int call = 0; call < 2; ++call) {
    program.Prepare("call.1", inputs);
    program.Call("call.1", inputs);
    EXPECT_TRUE(HoldsOnly(program.State()[0].tensor, 1 + 2 * 7)) << "not twice";
  }
  program.Begin("call.4", inputs);
  program.Call("call.4", inputs);
  EXPECT_THAT(program.Written("call.4"), ElementsAre("leaf.2"));
  program.Reset();
  EXPECT_THAT(Changed(program), IsEmpty());
}

TEST_F(Writing, EachStepBeginsAnew) {
  GraphProgram program = maker_.Program({steps_, moments_, relu_});
  const Tensors inputs = {Constant(2)};
  program.Begin("call.1", inputs);
  program.Call("call.1", inputs);
  program.Begin("call.0", inputs);
  EXPECT_THAT(Changed(program), IsEmpty());
  const Tensors product = program.Call("call.0", inputs);
  ASSERT_EQ(product.size(), 1U);
  EXPECT_TRUE(HoldsOnly(product[0], 2 * 7));
  program.Begin(kReplay, inputs);
  program.Call(kReplay, inputs);
  EXPECT_EQ(program.Verified(kReplay, {}).size(), 3U);
  program.Begin(kReplay, inputs);
  EXPECT_THAT(Changed(program), IsEmpty());
  EXPECT_THAT(program.Verified(kReplay, {}), IsEmpty()) << "no call was made since";
}

TEST_F(Writing, OutputsAreThoseOfTheFirstStateAndLeaveIt) {
  GraphProgram program = maker_.Program({steps_});
  program.Begin(kReplay, {Constant(2)});
  program.Call(kReplay, {Constant(2)});
  EXPECT_TRUE(HoldsOnly(program.Outputs({Constant(2)})[0], 1 + 2 * 7));
  EXPECT_THAT(Changed(program), IsEmpty());
}

TEST_F(Writing, AMoveForgetsWhatCallsWrote) {
  GraphProgram program = maker_.Program({steps_, moments_, relu_});
  program.Outputs({Constant(2)});
  program.To(at::kCPU, at::kDouble);
  const Tensors inputs = {Constant(2).to(at::kDouble)};
  program.Begin(kReplay, inputs);
  EXPECT_THAT(program.Written(kReplay), ElementsAre("leaf.1", "leaf.2"));
  program.Call(kReplay, inputs);
  EXPECT_THAT(Changed(program), ElementsAre("leaf.1", "leaf.2"));
  program.Reset();
  EXPECT_THAT(Changed(program), IsEmpty());
}

TEST_F(Writing, WhatNoCallWritesToIsNotCopied) {
  GraphProgram program = maker_.Program({x_, still_, steps_});
  const at::Tensor x = Constant(2);
  const Tensors outputs = program.Outputs({x});
  EXPECT_TRUE(outputs[0].is_same(x));
  EXPECT_TRUE(outputs[1].is_same(program.State()[2].tensor));
}

TEST_F(Writing, NamesItsStepsWhereThereIsNoSuch) {
  GraphProgram program = maker_.Program({steps_});
  for (const std::string step : {"call.6", "call.-1", "call.", "call.x", "forward"}) {
    try {
      program.Begin(step, {Constant(2)});
      ADD_FAILURE() << step;
    } catch (const c10::Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("steps are replay and call.0 to call.5")) << step;
    }
  }
}

TEST(GraphProgram, WritingToTemporariesLeavesItPure) {
  GraphMaker maker;
  const int x = maker.Input();
  const int y = maker.On("aten::relu_", "", {maker.On("aten::neg", "", {x})});
  GraphProgram program = maker.Program({y});
  program.Begin(kReplay, {Constant(-2)});
  EXPECT_EQ(program.Contract(), StateContract::kPure) << "known after the first replay";
  EXPECT_TRUE(HoldsOnly(program.Call(kReplay, {Constant(-2)})[0], 2));
}

TEST(GraphProgram, OnlyTheFirstReplayIsMadeTwice) {
  const Tensors chances = {at::full({64}, 0.5)};
  GraphMaker maker;
  const int drawn = maker.On("aten::bernoulli", "", {maker.Input()}, {c10::IValue()});
  maker.On("aten::add_", "Tensor", {maker.Leaf(at::zeros({64})), drawn}, {1});
  GraphProgram program = maker.Program({drawn});
  at::manual_seed(0);
  Tensors want;
  for (int draw = 0; draw < 3; ++draw) want.push_back(at::bernoulli(chances[0]));
  at::manual_seed(0);
  EXPECT_TRUE(program.Outputs(chances)[0].equal(want[1])) << "it was to learn what calls write";
  EXPECT_TRUE(program.Outputs(chances)[0].equal(want[2]));
}

TEST(GraphProgram, AnInputThatACallWritesToIsCopied) {
  GraphMaker maker;
  const int x = maker.Input();
  GraphProgram program = maker.Program({maker.On("aten::neg_", "", {x})});
  const at::Tensor given = Constant(2);
  program.Begin(kReplay, {given});
  for (int call = 0; call < 2; ++call)
    EXPECT_TRUE(HoldsOnly(program.Call(kReplay, {given})[0], -2));
  EXPECT_TRUE(HoldsOnly(given, 2));
}

TEST(GraphProgram, AShapeThatACallChangesInPlaceIsTheReplaysAlone) {
  GraphMaker maker;
  const int leaf = maker.Leaf(at::ones({2, 3}));
  maker.On("aten::t_", "", {leaf});
  GraphProgram program = maker.Program({leaf});
  for (int call = 0; call < 2; ++call)
    EXPECT_EQ(program.Outputs({})[0].sizes(), at::IntArrayRef({3, 2}));
  EXPECT_THAT(program.Written(kReplay), ElementsAre("leaf.0"));
  EXPECT_EQ(program.State()[0].tensor.sizes(), at::IntArrayRef({2, 3}));
  try {
    program.Begin("call.0", {});
    FAIL();
  } catch (const c10::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("call.0, aten::t_, changes the shape of its argument"));
  }
}

}  // namespace
}  // namespace assay::execution
