#include "benchmarks/traces/graph/trace_tree.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmarks/traces/graph/test_nodes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::traces {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(TraceTree, FindsCallersOfAFileThatHasChildrenFirst) {
  const NodeList nodes = {Label(2, "thread", 1), Operator(5, "aten::t", 4),
                          Operator(4, "aten::linear", 3), Label(3, "range", 2),
                          Label(1, "process", 1)};
  const TraceTree tree(nodes);
  EXPECT_THAT(tree.order, ElementsAre(4, 0, 3, 2, 1));
  EXPECT_THAT(tree.roots, ElementsAre(4));
  EXPECT_EQ(tree.OperatorAbove(1), 2u);
  EXPECT_EQ(tree.OperatorAbove(2), kNoNode);
  EXPECT_THAT(tree.OperatorsBelow(4), ElementsAre(2));
  EXPECT_TRUE(tree.Within(1, 3));
  EXPECT_FALSE(tree.Within(3, 1));
  EXPECT_THAT(tree.orphans, IsEmpty());
  EXPECT_THAT(tree.cyclic, IsEmpty());
}

TEST(TraceTree, AMissingParentMakesARoot) {
  const NodeList nodes = {Operator(9, "aten::sin", 8), Label(1, "process", 1)};
  const TraceTree tree(nodes);
  EXPECT_THAT(tree.orphans, ElementsAre(0));
  EXPECT_THAT(tree.roots, ElementsAre(1, 0));
}

TEST(TraceTree, EndsWhereNodesCallThemselves) {
  const NodeList nodes = {Label(1, "process", 1), Label(2, "a", 4), Label(3, "b", 2),
                          Label(4, "c", 3)};
  const TraceTree tree(nodes);
  EXPECT_THAT(tree.cyclic, ElementsAre(1));
  EXPECT_EQ(tree.parent[1], kNoNode);
  EXPECT_TRUE(tree.Within(3, 1));
}

TEST(TraceTree, NamesIdsThatComeTwice) {
  const NodeList nodes = {Label(1, "process", 1), Label(2, "a", 1), Label(2, "b", 1)};
  EXPECT_THAT(TraceTree(nodes).twice, ElementsAre(2));
}

// The backward pass of a GPU's program runs in a thread of its own, and the optimizer after it.
TEST(WalkOperators, FollowsIdsThroughThreads) {
  const NodeList nodes = {Label(1, "process", 1),        Label(2, "thread", 1),
                          Operator(3, "aten::f", 2),     Operator(4, "aten::g", 3),
                          Label(5, "thread", 1),         Operator(6, "aten::back", 5),
                          Operator(7, "aten::inner", 6), Operator(8, "aten::step", 2)};
  std::string walk;
  const TraceTree tree(nodes);
  WalkOperators(
      tree, [&](size_t node) { absl::StrAppend(&walk, "(", nodes[node].id); },
      [&](size_t) { walk += ")"; });
  EXPECT_EQ(walk, "(3(4))(6(7))(8)");
}

}  // namespace
}  // namespace assay::traces
