#include "benchmarks/traces/reader/kineto_join.h"

#include <string>

#include "gtest/gtest.h"

namespace assay::traces {
namespace {

TraceNode NodeOf(int64_t id, int64_t rf_id, const std::string& name, int64_t duration_ns = -1) {
  TraceNode node = {.id = id, .name = name, .rf_id = rf_id};
  node.duration_ns = duration_ns;
  if (duration_ns >= 0) node.start_ns = 1000 * id;
  return node;
}

TEST(JoinTimes, TakesTimesByIdAndName) {
  Trace trace = {.nodes = {NodeOf(1, 0, "process"), NodeOf(2, 7, "aten::mm"),
                           NodeOf(3, 8, "aten::add"), NodeOf(4, 9, "aten::sum"),
                           NodeOf(5, 10, "twice"), NodeOf(6, 10, "twice"), NodeOf(7, 11, "lost")}};
  Trace kineto = {.nodes = {NodeOf(11, 7, "aten::mm", 50), NodeOf(12, 8, "aten::mul", 60),
                            NodeOf(13, 9, "aten::sum", 70), NodeOf(14, 9, "aten::sum", 80),
                            NodeOf(15, 10, "twice", 90), NodeOf(16, 12, "unknown", 90)}};
  kineto.about.kernel_names = {"gemm"};
  kineto.about.kernels = {{.node = 11}, {.node = 12}};
  const JoinReport report = JoinTimes(trace, kineto);
  EXPECT_EQ(report.joined, 1);
  EXPECT_EQ(report.without_id, 1);
  EXPECT_EQ(report.other_name, 1);
  EXPECT_EQ(report.ambiguous, 3);
  EXPECT_EQ(report.without_event, 1);
  EXPECT_EQ(report.joined + report.NotJoined(), 7);
  EXPECT_EQ(trace.nodes[1].duration_ns, 50);
  EXPECT_EQ(trace.nodes[1].start_ns, 11000);
  EXPECT_EQ(trace.nodes[2].duration_ns, -1);
  ASSERT_EQ(trace.about.kernels.size(), 2u);
  EXPECT_EQ(trace.about.kernels[0].node, 2);
  EXPECT_EQ(trace.about.kernels[1].node, 0);
}

}  // namespace
}  // namespace assay::traces
