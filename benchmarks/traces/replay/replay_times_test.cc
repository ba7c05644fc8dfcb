#include "benchmarks/traces/replay/replay_times.h"

#include <vector>

#include "benchmarks/traces/graph/test_nodes.h"
#include "gtest/gtest.h"

namespace assay::traces {
namespace {

TraceNode At(TraceNode node, int64_t start, int64_t duration) {
  node.start_ns = start;
  node.duration_ns = duration;
  return node;
}

// A range with two operators, one of which is called by its parts, and a backward pass.
const NodeList& Nodes() {
  static const auto& nodes =
      *new NodeList{Label(1, "thread", 1),
                    At(Label(2, "ProfilerStep#0", 1), 0, 1000),
                    At(Operator(3, "aten::f", 2), 100, 200),
                    At(Operator(4, "aten::g", 2), 400, 300),
                    At(Operator(5, "aten::g_inner", 4), 410, 250),
                    At(Operator(6, "aten::lost", 4), 670, 20),
                    At(Label(7, "autograd::engine::evaluate_function: F", 2), 800, 150),
                    At(Operator(8, "aten::f_backward", 7), 820, 90)};
  return nodes;
}

TEST(TimesOf, CountsEachNanosecondOnce) {
  const TraceTree tree(Nodes());
  const ReplayPlan plan = {.calls = {2, 4, 7}, .lost = {{5, "no kernel"}}};
  const ReplayTimes times = TimesOf(tree, plan);
  EXPECT_TRUE(times.known);
  EXPECT_EQ(times.span_ns, 1000);
  EXPECT_EQ(times.covered_ns, 200 + 250 + 90);
  EXPECT_EQ(times.lost_ns, 20);
  EXPECT_EQ(times.composite_ns, 300 - 250 - 20);
  EXPECT_EQ(times.engine_ns, 150 - 90);
  EXPECT_EQ(times.between_ns, 1000 - 590 - 60);
}

TEST(TimesOf, KeepsToASubgraph) {
  const TraceTree tree(Nodes());
  const ReplayTimes times = TimesOf(tree, {.calls = {4}}, /*under=*/3);
  EXPECT_EQ(times.covered_ns, 250);
  EXPECT_EQ(times.span_ns, 690 - 410);
}

TEST(TimesOf, KnowsThatATraceHasNoTimes) {
  const NodeList nodes = {Operator(3, "aten::f", 1)};
  EXPECT_FALSE(TimesOf(TraceTree(nodes), {.calls = {0}}).known);
}

}  // namespace
}  // namespace assay::traces
