#include "benchmarks/traces/replay/checked_replay.h"

#include <ATen/ops/add.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/tensor.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/profiler/standalone/execution_trace_observer.h>
#include <torch/library.h>

#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "benchmarks/traces/graph/test_nodes.h"
#include "benchmarks/traces/reader/trace_file.h"
#include "benchmarks/traces/replay/trace_program.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::traces {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

at::Tensor Ends(const at::Tensor& /*self*/) { std::abort(); }

TORCH_LIBRARY(replay_test, library) {
  library.def("ends(Tensor self) -> Tensor");
  library.impl("ends", c10::DispatchKey::CPU, TORCH_FN(Ends));
}

// What LibTorch's own observer writes of a program.
Trace Observed(const std::function<void()>& program) {
  namespace impl = torch::profiler::impl;
  const std::string path = absl::StrCat(tensor_files::TestFolder(), "/et.json");
  EXPECT_TRUE(impl::addExecutionTraceObserver(path));
  impl::enableExecutionTraceObserver();
  program();
  impl::disableExecutionTraceObserver();
  impl::removeExecutionTraceObserver();
  absl::StatusOr<Trace> trace = LoadTrace(path);
  EXPECT_TRUE(trace.ok()) << trace.status();
  return trace.ok() ? *std::move(trace) : Trace();
}

// A replay in this process: these programs cannot end it.
struct Replayed {
  explicit Replayed(Trace of)
      : trace(std::move(of)),
        tree(trace.nodes),
        plan(PlanReplay(tree, FindStorages(tree), {})),
        graph(*BuildGraph(tree, FindStorages(tree), plan, {})) {}

  GraphRun Run() const {
    return RunChecked(tree, graph, [](size_t) {});
  }
  // The tensor that is an argument of a call.
  at::Tensor Argument(size_t call, size_t argument) const {
    const int value = graph.graph.calls[call].tensors[argument].values[0];
    return graph.graph.constants[static_cast<size_t>(value)];
  }
  // The call of this operator.
  size_t Call(const std::string& name) const {
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
      if (tree.nodes[graph.nodes[i]].name == name && !graph.expected[i].empty()) return i;
    }
    ADD_FAILURE() << "no call of " << name;
    return 0;
  }

  Trace trace;
  TraceTree tree;
  ReplayPlan plan;
  TraceGraph graph;
};

at::Tensor Network(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  at::Tensor hidden = at::linear(x, weight, bias);
  hidden.relu_();
  hidden.t_();
  return at::softmax(hidden.transpose(0, 1), 1).add(hidden.t(), 0.25);
}

Trace NetworkTrace() {
  const c10::InferenceMode inference;
  const at::Tensor x = at::rand({3, 4}), weight = at::rand({5, 4}), bias = at::rand({5});
  return Observed([&] { Network(x, weight, bias); });
}

TEST(Replay, ComputesWhatTheProgramComputes) {
  const Replayed replayed(NetworkTrace());
  EXPECT_THAT(replayed.plan.lost, testing::SizeIs(0));
  EXPECT_EQ(replayed.plan.covered, replayed.plan.operators);
  const GraphRun run = replayed.Run();
  EXPECT_THAT(run.differences, IsEmpty());
  EXPECT_TRUE(run.refused.empty());
  const c10::InferenceMode inference;
  const size_t linear = replayed.Call("aten::linear");
  const at::Tensor want = Network(replayed.Argument(linear, 0), replayed.Argument(linear, 1),
                                  replayed.Argument(linear, 2));
  EXPECT_TRUE(at::equal(replayed.graph.graph.Call({})[0], want));
}

// Faults that a replay could have: each must be seen.
TEST(Replay, AnOperatorThatIsSkippedIsSeen) {
  Replayed replayed(NetworkTrace());
  const size_t call = replayed.Call("aten::softmax");
  replayed.graph.graph.calls.erase(replayed.graph.graph.calls.begin() +
                                   static_cast<ptrdiff_t>(call));
  replayed.graph.nodes.erase(replayed.graph.nodes.begin() + static_cast<ptrdiff_t>(call));
  replayed.graph.expected.erase(replayed.graph.expected.begin() + static_cast<ptrdiff_t>(call));
  EXPECT_FALSE(replayed.Run().refused.empty());
}

TEST(Replay, AWrongStrideIsSeen) {
  Trace trace = NetworkTrace();
  trace.nodes.Change([](TraceNode& node) {
    if (node.name == "aten::t")
      std::swap(node.outputs[0].tensor.strides[0], node.outputs[0].tensor.strides[1]);
  });
  EXPECT_THAT(Replayed(trace).Run().differences,
              testing::Contains(HasSubstr("has strides [5, 1], in the trace [1, 5]")));
}

TEST(Replay, AWrongScalarIsSeen) {
  const c10::InferenceMode inference;
  const at::Tensor x = at::rand({3, 4});
  Trace trace = Observed([&] { x.sum(1); });
  trace.nodes.Change([](TraceNode& node) {
    if (node.name == "aten::sum") node.inputs[1].items[0].integer = 0;
  });
  EXPECT_THAT(Replayed(trace).Run().differences,
              ElementsAre(HasSubstr("result 0 has shape [4], in the trace [3]")));
}

TEST(Replay, AWrongDtypeAndAMemoryOfItsOwnAreSeen) {
  const c10::InferenceMode inference;
  const at::Tensor x = at::rand({3, 4});
  Trace trace = Observed([&] {
    x.exp();
    x.view({4, 3});
  });
  trace.nodes.Change([](TraceNode& node) {
    if (node.name == "aten::exp") {
      node.outputs[0].tensor.dtype = "double";
      node.outputs[0].tensor.element_size = 8;
    }
    // A mutant: the view copies.
    if (node.name != "aten::view") return;
    node.name = "aten::view_copy";
    node.op_schema = "aten::view_copy(Tensor self, SymInt[] size) -> Tensor";
  });
  EXPECT_THAT(Replayed(trace).Run().differences,
              ElementsAre(HasSubstr("has dtype float, in the trace double"),
                          HasSubstr("lies in memory of its own")));
}

TEST(Replay, FollowsTheBackwardPass) {
  const at::Tensor x = at::rand({2, 3, 8, 8}), weight = at::rand({5, 48});
  weight.requires_grad_();
  const Trace trace = Observed([&] {
    const at::Tensor pooled = at::max_pool2d(x.mul(weight.sum()), {2, 2});
    at::dropout(at::linear(pooled.flatten(1), weight), 0.5, true).relu_().sum().backward();
  });
  const Replayed replayed(trace);
  EXPECT_EQ(replayed.plan.covered, replayed.plan.operators);
  const GraphRun run = replayed.Run();
  EXPECT_THAT(run.differences, IsEmpty());
  EXPECT_TRUE(run.refused.empty()) << run.refused.begin()->second;
  EXPECT_TRUE(replayed.graph.random.draws);
  // A seed gives the same bits twice, also where operators write in place.
  TraceProgram program(replayed.graph.graph, replayed.graph.random);
  const c10::InferenceMode inference;
  const std::vector<at::Tensor> first = program.Outputs({}), second = program.Outputs({});
  for (size_t i = 0; i < first.size(); ++i) EXPECT_TRUE(at::equal(first[i], second[i])) << i;
}

// at::tensor() makes memory with aten::empty, and the host writes to it.
TEST(Replay, MemoryThatTheHostWroteIsAConstant) {
  const c10::InferenceMode inference;
  const Replayed replayed(Observed([] { at::tensor({1.5f, 2.5f}).exp(); }));
  EXPECT_EQ(replayed.graph.host_written, 1);
  EXPECT_THAT(replayed.graph.graph.calls, testing::SizeIs(1));
  EXPECT_EQ(Replayed(Observed([] { at::empty({2}).fill_(1).exp(); })).graph.host_written, 0);
}

// 1 in x.add(1) is a tensor in the trace; it has no say in the dtype.
TEST(Replay, NumbersThatTheTraceHasAsTensorsDoNotPromote) {
  const c10::InferenceMode inference;
  const at::Tensor x = at::tensor({1, 2}, at::kInt);
  EXPECT_THAT(Replayed(Observed([&] { x.mul(0.5); })).Run().differences, IsEmpty());
}

TEST(Replay, ViewsThatNoOperatorMadeArePutIn) {
  Trace trace;
  for (const TraceNode& node : NetworkTrace().nodes) {
    if (node.name != "aten::transpose" && node.name != "aten::as_strided") trace.nodes.Add(node);
  }
  const Replayed replayed(trace);
  EXPECT_GT(replayed.graph.views, 0);
  EXPECT_THAT(replayed.Run().differences, IsEmpty());
}

absl::StatusOr<CheckedReplay> Checked(const Trace& trace) {
  const TraceTree tree(trace.nodes);
  return CheckReplay(tree, FindStorages(tree), {.most = absl::Seconds(5)});
}

TEST(CheckReplay, ReplaysThePublicFile) {
  const absl::StatusOr<Trace> trace = LoadTrace("benchmarks/traces/testdata/linear_1.0.1.json.gz");
  ASSERT_TRUE(trace.ok()) << trace.status();
  const absl::StatusOr<CheckedReplay> checked = Checked(*trace);
  ASSERT_TRUE(checked.ok()) << checked.status();
  EXPECT_EQ(checked->plan.covered, 710u);
  EXPECT_THAT(checked->differences, IsEmpty());
}

TEST(CheckReplay, NamesWhatEndsTheProcessAndGoesOn) {
  NodeList nodes = {
      Operator(9, "replay_test::ends(Tensor self) -> Tensor", 1, {Tensor(2, 3, {4})},
               {Tensor(5, 6, {4})}),
      Operator(10, "aten::_assert_async(Tensor self) -> ()", 1, {Tensor(2, 3, {4})}),
      Operator(11, "aten::exp(Tensor self) -> Tensor", 1, {Tensor(2, 3, {4})}, {Tensor(5, 6, {4})}),
      Operator(12, "aten::sin(Tensor self) -> Tensor", 1, {Tensor(5, 6, {4})},
               {Tensor(7, 8, {4})})};
  const absl::StatusOr<CheckedReplay> checked = Checked({.nodes = nodes});
  ASSERT_TRUE(checked.ok()) << checked.status();
  EXPECT_THAT(checked->plan.calls, ElementsAre(2, 3));
  EXPECT_THAT(checked->plan.lost.at(0), HasSubstr("it ended the process: Aborted"));
  EXPECT_THAT(checked->plan.lost.at(1), HasSubstr("it throws: "));
}

TEST(CheckReplay, RefusesATraceThatNothingOfCanBeCalled) {
  EXPECT_TRUE(absl::IsFailedPrecondition(Checked({.nodes = {Label(1, "p", 1)}}).status()));
}

TEST(CheckReplay, RefusesMemoryThatTheMachineDoesNotHave) {
  const absl::StatusOr<CheckedReplay> checked =
      Checked({.nodes = {Operator(10, "aten::exp(Tensor self) -> Tensor", 1,
                                  {Tensor(2, 3, {int64_t{1} << 50})},
                                  {Tensor(5, 6, {int64_t{1} << 50})})}});
  EXPECT_TRUE(absl::IsResourceExhausted(checked.status())) << checked.status();
  EXPECT_THAT(std::string(checked.status().message()), HasSubstr("need more memory than the"));
}

}  // namespace
}  // namespace assay::traces
