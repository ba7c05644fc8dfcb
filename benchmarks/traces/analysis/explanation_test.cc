#include "benchmarks/traces/analysis/explanation.h"

#include <string>
#include <utility>
#include <vector>

#include "benchmarks/traces/graph/test_nodes.h"
#include "gtest/gtest.h"

namespace assay::traces {
namespace {

TraceNode At(TraceNode node, int64_t thread, int64_t start_us, int64_t us) {
  node.tid = thread;
  node.start_ns = start_us * 1000;
  node.duration_ns = us * 1000;
  return node;
}

TEST(Explain, SplitsTheTimeOfAStep) {
  const std::string engine = "autograd::engine::evaluate_function: ";
  const NodeList nodes = {
      At(Label(1, "step", 1), 1, 0, 1000),
      // 100 us, of which 70 in mm and 5 in t.
      At(Operator(2, "aten::linear", 1), 1, 100, 100),
      At(Operator(3, "aten::t(Tensor(a) self) -> Tensor(a)", 2), 1, 110, 5),
      At(Operator(4, "aten::mm", 2), 1, 120, 70),
      // The engine: 50 us, 30 of them in an operator.
      At(Label(5, engine + "Mm", 1), 1, 300, 50), At(Label(6, "MmBackward0", 5), 1, 305, 40),
      At(Operator(7, "aten::mm", 6), 1, 310, 30),
      // Another thread: 20 of its 40 us while thread 1 runs mm.
      At(Operator(8, "aten::add", 1), 2, 170, 40), Operator(9, "aten::relu", 1)};
  const Explanation e = Explain(TraceTree(nodes), {});
  EXPECT_EQ(e.operators, 6u);
  EXPECT_EQ(e.timed, 5u);
  EXPECT_EQ(e.whole_ns, 1'000'000);
  EXPECT_EQ(e.busy_ns, (100 + 30 + 10) * 1000);  // thread 2 goes on for 10 us behind linear
  EXPECT_EQ(e.overlap_ns, 30'000);
  EXPECT_EQ(e.engine_ns, 20'000);
  EXPECT_EQ(e.dispatch_ns, 25'000);
  EXPECT_EQ(e.short_ns, 5'000);
  EXPECT_EQ(e.short_calls, 1u);
  ASSERT_EQ(e.threads.size(), 2u);
  EXPECT_EQ(e.threads[0].busy_ns, 130'000);
  EXPECT_EQ(e.threads[1].operators, 1u);
  EXPECT_EQ(e.work[0].name, "aten::mm");
  EXPECT_EQ(e.work[0].ns, 100'000);
  EXPECT_EQ(e.work[0].nodes.size(), 2u);
}

TEST(Explain, WithoutTimesThereIsNothing) {
  const NodeList nodes = {Operator(2, "aten::mm", 1)};
  EXPECT_EQ(Explain(TraceTree(nodes), {}).timed, 0u);
}

TEST(BytesMoved, CountsEachTensorOnce) {
  EXPECT_EQ(BytesMoved(Operator(5, "aten::add(Tensor a, Tensor b) -> Tensor", 1,
                                {Tensor(1, 1, {8}), Tensor(1, 1, {8})}, {Tensor(2, 2, {8})})),
            64);
  EXPECT_EQ(BytesMoved(Operator(5, "aten::t(Tensor(a) a) -> Tensor(a)", 1, {Tensor(1, 1, {8})},
                                {Tensor(2, 1, {8})})),
            0);
}

}  // namespace
}  // namespace assay::traces
