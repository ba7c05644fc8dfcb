#include "benchmarks/traces/analysis/graph_text.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "benchmarks/traces/graph/test_nodes.h"
#include "gtest/gtest.h"

namespace assay::traces {
namespace {

using Ends = std::vector<std::pair<size_t, size_t>>;

Ends EndsOf(const DataGraph& graph) {
  Ends ends;
  for (const DataGraph::Edge& edge : graph.edges) ends.emplace_back(edge.from, edge.to);
  return ends;
}

// linear(t, mm) -> relu_ -> add, and a node apart.
const NodeList& Nodes() {
  static const auto& nodes = *new NodeList{
      Operator(5, "aten::linear(Tensor a) -> Tensor", 1, {Tensor(3, 4, {2})}, {Tensor(8, 9, {2})}),
      Operator(6, "aten::t(Tensor(a) a) -> Tensor(a)", 5, {Tensor(3, 4, {2})}, {Tensor(7, 4, {2})}),
      Operator(7, "aten::mm(Tensor a) -> Tensor", 5, {Tensor(7, 4, {2})}, {Tensor(8, 9, {2})}),
      Operator(10, "aten::relu_(Tensor(a!) a) -> Tensor(a!)", 1, {Tensor(8, 9, {2})},
               {Tensor(8, 9, {2})}),
      Operator(13, "aten::add(Tensor a) -> Tensor", 1, {Tensor(8, 9, {2})}, {Tensor(14, 15, {2})}),
      Operator(16, "my::\"<op>\"(Tensor a) -> Tensor", 1, {Tensor(3, 4, {2})},
               {Tensor(17, 18, {2})})};
  return nodes;
}

DataGraph Graph(const GraphOptions& options) {
  const TraceTree tree(Nodes());
  return GraphOf(tree, FindStorages(tree), options);
}

TEST(GraphOf, AnEdgeComesFromWhoWroteLast) {
  const DataGraph graph = Graph({});
  EXPECT_EQ(graph.nodes, (std::vector<size_t>{0, 3, 4, 5}));
  EXPECT_EQ(EndsOf(graph), (Ends{{0, 3}, {3, 4}}));
  EXPECT_EQ(graph.edges[0].tensor, "float[2]");
}

TEST(GraphOf, CanBeCut) {
  EXPECT_EQ(Graph({.detail = true}).nodes, (std::vector<size_t>{1, 2, 3, 4, 5}));
  EXPECT_EQ(EndsOf(Graph({.detail = true})), (Ends{{1, 2}, {2, 3}, {3, 4}}));
  EXPECT_EQ(Graph({.under = 0}).nodes, (std::vector<size_t>{1, 2}));
  EXPECT_EQ(Graph({.around = 4}).nodes, (std::vector<size_t>{3, 4}));
}

TEST(GraphText, NamesAreEscaped) {
  const TraceTree tree(Nodes());
  const DataGraph graph = Graph({});
  EXPECT_TRUE(absl::StrContains(DotText(tree, graph), "n0 -> n3 [label=\"float[2]\"];"));
  EXPECT_TRUE(absl::StrContains(DotText(tree, graph), R"dot(n5 [label="my::\"<op>\" (16)"];)dot"));
  EXPECT_TRUE(absl::StrContains(GraphmlText(tree, graph), "my::&quot;&lt;op&gt;&quot;"));
  EXPECT_TRUE(absl::StrContains(GraphmlText(tree, graph), "<edge source=\"n3\" target=\"n4\">"));
}

}  // namespace
}  // namespace assay::traces
