#include "benchmarks/traces/replay/replay_plan.h"

#include <vector>

#include "benchmarks/traces/graph/test_nodes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::traces {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

ReplayPlan Plan(const NodeList& nodes, const std::map<size_t, std::string>& refused = {},
                size_t under = kNoNode) {
  const TraceTree tree(nodes);
  return PlanReplay(tree, FindStorages(tree), refused, under);
}

// A dropout that returns its product, and makes a mask inside.
NodeList Dropout() {
  return {
      Operator(10, "aten::dropout", 1, {Tensor(2, 3, {8})}, {Tensor(4, 5, {8})}),
      Operator(11, "aten::bernoulli_", 10, {Tensor(6, 7, {8})}, {Tensor(6, 7, {8})}),
      Operator(12, "aten::div", 10, {Tensor(6, 7, {8})}, {Tensor(8, 9, {8})}),
      Operator(13, "aten::mul", 10, {Tensor(2, 3, {8}), Tensor(8, 9, {8})}, {Tensor(4, 5, {8})})};
}

TEST(PlanReplay, CallsAnOperatorWhole) {
  const ReplayPlan plan = Plan(Dropout());
  EXPECT_THAT(plan.calls, ElementsAre(0));
  EXPECT_EQ(plan.operators, 4u);
  EXPECT_EQ(plan.covered, 4u);
}

TEST(PlanReplay, GoesIntoAnOperatorOfWhichALaterOneReadsTheInside) {
  NodeList nodes = Dropout();
  nodes.Add(Operator(20, "aten::mul", 1, {Tensor(8, 9, {8})}, {Tensor(21, 22, {8})}));
  const ReplayPlan plan = Plan(nodes);
  EXPECT_THAT(plan.calls, ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(plan.covered, 5u);
}

TEST(PlanReplay, GoesIntoAnOperatorThatCannotBeCalled) {
  const ReplayPlan plan = Plan(Dropout(), {{0, "no kernel"}, {1, "throws"}});
  EXPECT_THAT(plan.calls, ElementsAre(2, 3));
  EXPECT_THAT(plan.lost, ElementsAre(Pair(1, "throws")));
  EXPECT_EQ(plan.covered, 2u);
}

TEST(PlanReplay, NamesWhatNoMachineCanReplay) {
  TraceNode triton = Label(4, "triton_poi_fused_add_0", 1);
  triton.kernel_backend = "triton";
  triton.kernel_file = "cm742fnyrs4e65orusgacb3ex55.py";
  const ReplayPlan plan = Plan({Label(1, "p", 1), triton, Label(5, "record_param_comms", 1)});
  EXPECT_THAT(plan.calls, IsEmpty());
  EXPECT_EQ(plan.lost.size(), 2u);
  EXPECT_EQ(plan.lost.at(1),
            "a Triton kernel: the trace has only the name of its source, cm742fnyrs4e…");
}

TEST(PlanReplay, LeavesOutWhatIsNamedAndWhatItCalls) {
  const NodeList nodes = {Label(1, "p", 1),          Label(2, "DataLoader", 1),
                          Operator(3, "aten::f", 2), Operator(4, "aten::set_", 1),
                          Operator(5, "aten::g", 4), Operator(6, "aten::h", 1)};
  const TraceTree tree(nodes);
  const ReplayPlan plan = PlanReplay(tree, FindStorages(tree), {}, kNoNode,
                                     {{"DataLoader", "not asked"}, {"set_", "not asked"}});
  EXPECT_THAT(plan.calls, ElementsAre(5));
  EXPECT_THAT(plan.lost, ElementsAre(Pair(2, "not asked"), Pair(3, "not asked")));
}

TEST(PlanReplay, KeepsToASubgraph) {
  const NodeList nodes = {Label(1, "p", 1), Operator(2, "aten::f", 1),
                          Label(3, "ProfilerStep#1", 1), Operator(4, "aten::g", 3),
                          Operator(5, "aten::h", 4)};
  const ReplayPlan plan = Plan(nodes, {}, 2);
  EXPECT_THAT(plan.calls, ElementsAre(3));
  EXPECT_EQ(plan.operators, 2u);
}

}  // namespace
}  // namespace assay::traces
