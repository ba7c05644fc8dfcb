// Programs are captured with their values, and replayed from what was written to files.
#include "benchmarks/traces/replay/value_check.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Functions.h>
#include <torch/csrc/autograd/generated/variable_factories.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "benchmarks/harness/trace/capture.h"
#include "benchmarks/traces/reader/trace_file.h"
#include "benchmarks/traces/replay/replay_plan.h"
#include "benchmarks/traces/replay/saved_values.h"
#include "benchmarks/traces/replay/trace_program.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::traces {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

struct Captured {
  Trace trace;
  SavedValues saved;
};

Captured Capture(const std::function<void()>& program) {
  const std::string path = absl::StrCat(tensor_files::TestFolder(), "/step.json");
  auto capture = trace::Capture::Start({.path = path, .values = true, .times = {}});
  EXPECT_TRUE(capture.ok()) << capture.status();
  program();
  EXPECT_TRUE((*capture)->Finish().ok());
  absl::StatusOr<Trace> read = LoadTrace(path);
  EXPECT_TRUE(read.ok()) << read.status();
  absl::StatusOr<SavedValues> saved = ReadSavedValues(path, *read);
  EXPECT_TRUE(saved.ok()) << saved.status();
  return {*std::move(read), *std::move(saved)};
}

struct ValueReplay {
  explicit ValueReplay(Captured of, const std::function<void(TraceGraph&)>& change = {})
      : captured(std::move(of)), tree(captured.trace.nodes) {
    const Storages storages = FindStorages(tree);
    const ReplayPlan plan = PlanReplay(tree, storages, {});
    EXPECT_TRUE(plan.lost.empty());
    absl::StatusOr<TraceGraph> made = BuildGraph(tree, storages, plan, {.saved = &captured.saved});
    EXPECT_TRUE(made.ok()) << made.status();
    graph = *std::move(made);
    EXPECT_TRUE(graph.refused.empty());
    if (change) {
      change(graph);
      graph.graph.FindLastUses();
    }
    check = CheckValues(tree, graph);
  }

  Captured captured;
  TraceTree tree;
  TraceGraph graph;
  ValueCheck check;
};

// All that could be compared is equal to the bit.
void ExpectEqual(const ValueReplay& replayed, int64_t least) {
  EXPECT_THAT(replayed.check.differences, IsEmpty());
  EXPECT_EQ(replayed.check.counts.near, 0);
  EXPECT_GE(replayed.check.counts.equal, least);
  EXPECT_EQ(replayed.graph.seeded, 0);
}

struct ConvNet {
  at::Tensor x = at::randn({4, 3, 8, 8}), kernel = at::randn({6, 3, 3, 3}).mul_(0.2);
  at::Tensor weight = at::randn({5, 96}).mul_(0.1), target = at::arange(4);
  at::Tensor mean = at::zeros({6}), variance = at::ones({6});

  at::Tensor Loss() const {
    at::Tensor hidden = at::conv2d(x, kernel, {}, 1, 1);
    hidden = at::batch_norm(hidden, {}, {}, mean, variance, true, 0.1, 1e-5, false);
    hidden = at::max_pool2d(hidden.relu_(), {2, 2});
    hidden = at::dropout(hidden, 0.25, true);
    return at::cross_entropy_loss(at::linear(hidden.flatten(1), weight), target).mul(0.5);
  }
};

Captured InferenceOf() {
  const c10::InferenceMode inference;
  const ConvNet network;
  return Capture([&] { network.Loss(); });
}

TEST(CheckValues, AForwardPassWithDropoutIsEqualToTheBit) {
  const ValueReplay replayed(InferenceOf());
  EXPECT_TRUE(replayed.graph.random.draws);
  ExpectEqual(replayed, 8);
}

TEST(CheckValues, ATrainingStepIsEqualToTheBit) {
  ConvNet network;
  network.kernel.requires_grad_();
  network.weight.requires_grad_();
  const at::Tensor momentum = at::zeros_like(network.weight), average = momentum.clone();
  const at::Tensor steps = at::ones({});
  const ValueReplay replayed(Capture([&] {
    network.Loss().backward();
    const at::NoGradGuard no_grad;
    const at::Tensor& gradient = network.weight.grad();
    at::_fused_adamw_({network.weight}, {gradient}, {momentum}, {average}, {}, {steps}, 1e-3, 0.9,
                      0.999, 1e-2, 1e-8, false, false);
    const std::vector<at::Tensor> kernels = {network.kernel}, gradients = {network.kernel.grad()};
    at::_foreach_add_(kernels, gradients, -1e-8);
    network.kernel.mutable_grad().zero_();
  }));
  ExpectEqual(replayed, 40);
  // A replay begins with the same state again and again.
  TraceProgram program(replayed.graph.graph, replayed.graph.random);
  const c10::InferenceMode inference;
  const std::vector<at::Tensor> first = program.Outputs({}), second = program.Outputs({});
  for (size_t i = 0; i < first.size(); ++i) EXPECT_TRUE(at::equal(first[i], second[i])) << i;
}

TEST(CheckValues, EachGeneratorGoesOnWhereItWas) {
  const c10::InferenceMode inference;
  at::Generator own = at::detail::createCPUGenerator(7);
  at::rand({3}, own);
  const ValueReplay replayed(Capture([&] {
    at::rand({3}, own).add(at::rand({3}));
    at::zeros({4}).normal_(0, 1, own);
    at::zeros({4}).normal_();
  }));
  ExpectEqual(replayed, 5);
  EXPECT_EQ(replayed.graph.random.given.size(), 2u);
}

TEST(CheckValues, WhatTheHostWritesIsCopiedInAtItsCall) {
  const c10::InferenceMode inference;
  at::Tensor memory = at::arange(6, at::kFloat), buffer;
  ValueReplay replayed(Capture([&] {
    memory.view({2, 3}).t().exp();
    memory.mutable_data_ptr<float>()[4] = -1;  // recorders see nothing of it
    memory.neg();
    buffer = at::empty({3});
    for (int i = 0; i < 3; ++i) buffer.mutable_data_ptr<float>()[i] = 2.f * static_cast<float>(i);
    at::sin(buffer);
    buffer.mutable_data_ptr<float>()[0] = 7;
    at::cos(buffer.narrow(0, 0, 2));
  }));
  ExpectEqual(replayed, 6);
  EXPECT_EQ(replayed.graph.host_written, 3);
}

TEST(CheckValues, ViewsInPlaceWritesAndTensorsWithoutElementsAreFollowed) {
  const c10::InferenceMode inference;
  const at::Tensor memory = at::randn({4, 6});
  const ValueReplay replayed(Capture([&] {
    at::Tensor column = memory.select(1, 2);
    column.add_(memory.select(1, 3)).mul_(3);
    memory.t().sum(0);
    at::cat({memory.narrow(0, 0, 0), memory.slice(0, 1, 3)}).unsqueeze_(0).squeeze();
    at::Tensor grown = at::zeros({2});
    grown.resize_({5}).fill_(1).cumsum(0);
    at::Tensor cache = at::empty({4, 2});
    cache.narrow(0, 0, 2).copy_(memory.narrow(0, 0, 2).narrow(1, 0, 2));
    cache.narrow(0, 0, 2).exp();
    cache.narrow(0, 2, 2);
  }));
  ExpectEqual(replayed, 12);
}

TEST(CheckValues, NumbersOfTheProgramAreExact) {
  const c10::InferenceMode inference;
  const at::Tensor whole = at::tensor({1, 2}, at::kInt), half = at::ones({2}, at::kHalf);
  const ValueReplay replayed(Capture([&] {
    whole.mul(0.1);
    half.add(1.0 / 3);
    at::pow(2, whole);
    whole.add(at::scalar_tensor(1e-8, at::kDouble));
  }));
  ExpectEqual(replayed, 4);
}

// Faults that a replay could have. The same replay without one passes: AForwardPassIsEqual….
size_t CallOf(const TraceGraph& graph, const std::string& name) {
  for (size_t i = 0; i < graph.graph.calls.size(); ++i) {
    if (graph.graph.calls[i].handle.schema().name() == name) return i;
  }
  ADD_FAILURE() << "no call of " << name;
  return 0;
}

void Remove(size_t call, TraceGraph& graph) {
  const auto at = static_cast<ptrdiff_t>(call);
  graph.graph.calls.erase(graph.graph.calls.begin() + at);
  graph.nodes.erase(graph.nodes.begin() + at);
  graph.expected.erase(graph.expected.begin() + at);
}

TEST(Mutants, AnOperatorThatIsSkippedIsCaught) {
  const ValueReplay replayed(
      InferenceOf(), [](TraceGraph& graph) { Remove(CallOf(graph, "aten::relu_"), graph); });
  EXPECT_THAT(replayed.check.differences, Contains(HasSubstr("aten::linear")));
}

TEST(Mutants, AWrongStrideIsCaught) {
  const c10::InferenceMode inference;
  const at::Tensor x = at::randn({3, 3});
  const auto captured = [&] { return Capture([&] { x.as_strided({3, 3}, {1, 3}).exp(); }); };
  ExpectEqual(ValueReplay(captured()), 2);
  const ValueReplay replayed(captured(), [](TraceGraph& graph) {
    graph.graph.calls[CallOf(graph, "aten::as_strided")].arguments[2] = std::vector<int64_t>{3, 1};
  });
  EXPECT_THAT(replayed.check.differences, Contains(HasSubstr("aten::exp")));
}

TEST(Mutants, AWriteThatIsLostIsCaught) {
  const c10::InferenceMode inference;
  at::Tensor memory = at::arange(6, at::kFloat);
  const auto captured = [&] {
    return Capture([&] {
      memory.exp();
      memory.mutable_data_ptr<float>()[4] += 1;
      memory.neg();
    });
  };
  ExpectEqual(ValueReplay(captured()), 2);
  const ValueReplay replayed(
      captured(), [](TraceGraph& graph) { Remove(CallOf(graph, "aten::copy_"), graph); });
  EXPECT_THAT(replayed.check.differences, Contains(HasSubstr("aten::neg")));
  EXPECT_THAT(replayed.check.differences, Not(Contains(HasSubstr("aten::exp"))));
}

TEST(Mutants, AWrongScalarIsCaught) {
  Captured captured = InferenceOf();
  captured.trace.nodes.Change([](TraceNode& node) {
    if (node.name == "aten::batch_norm") node.inputs[7].number = 1e-4;
  });
  EXPECT_THAT(ValueReplay(std::move(captured)).check.differences,
              Contains(HasSubstr("aten::batch_norm")));
}

// An optimizer returns nothing: what it writes to is compared.
TEST(Mutants, AnOptimizerWithAnotherRateIsCaught) {
  const c10::InferenceMode inference;
  const at::Tensor weight = at::randn({3}), gradient = at::randn({3}), momentum = at::zeros({3});
  Captured captured = Capture([&] {
    at::_fused_sgd_({weight}, {gradient}, {momentum}, 0, 0.9, 0.1, 0, false, false, true);
  });
  const Captured whole = captured;
  ExpectEqual(ValueReplay(whole), 2);
  captured.trace.nodes.Change([](TraceNode& node) {
    if (node.name == "aten::_fused_sgd_") node.inputs[5].number = 0.2;
  });
  EXPECT_THAT(ValueReplay(std::move(captured)).check.differences,
              testing::ElementsAre(HasSubstr("_fused_sgd_ (node 9): tensor 0 that it writes to")));
}

TEST(Mutants, AnotherStateOfTheRandomNumbersIsCaught) {
  Captured captured = InferenceOf();
  captured.saved.generator = at::Tensor();
  EXPECT_THAT(ValueReplay(std::move(captured)).check.differences,
              Contains(HasSubstr("aten::dropout")));
}

TEST(ReadSavedValues, NamesAFileThatIsMissing) {
  const c10::InferenceMode inference;
  const at::Tensor x = at::randn({3});
  const Captured captured = Capture([&] { x.exp(); });
  const absl::Status status = ReadSavedValues("elsewhere/step.json.gz", captured.trace).status();
  EXPECT_TRUE(absl::IsNotFound(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("elsewhere/step.values.safetensors"));
}

}  // namespace
}  // namespace assay::traces
