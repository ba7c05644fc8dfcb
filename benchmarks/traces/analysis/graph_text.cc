#include "benchmarks/traces/analysis/graph_text.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/types/span.h"
#include "benchmarks/harness/text/untrusted_text.h"
#include "benchmarks/traces/analysis/operator_mix.h"

namespace assay::traces {
namespace {

std::string Name(const TraceNode& node) { return base::Printable(node.name, 80); }

std::string DotString(const std::string& text) {
  return absl::StrCat("\"", absl::StrReplaceAll(text, {{"\\", "\\\\"}, {"\"", "\\\""}}), "\"");
}

std::string XmlString(const std::string& text) {
  return absl::StrReplaceAll(text,
                             {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}});
}

bool IsChosen(const TraceTree& tree, size_t node, const GraphOptions& options) {
  if (!options.detail) return tree.IsTopMost(node, options.under);
  return tree.IsOperator(node) && tree.Under(node, options.under) &&
         tree.OperatorsBelow(node).empty();
}

}  // namespace

DataGraph GraphOf(const TraceTree& tree, const Storages& storages, const GraphOptions& options) {
  DataGraph graph;
  // Places in `nodes` of the last operator that wrote to a storage, and of the one that returned a
  // tensor: a view of memory that somebody wrote to before. The later one is where a value is from.
  std::map<int, size_t> writers;
  std::map<std::pair<int, int64_t>, size_t> makers;
  std::set<std::pair<size_t, size_t>> seen;
  for (const size_t node : tree.order) {
    if (!IsChosen(tree, node, options)) continue;
    const TraceNode of = tree.nodes[node];
    const absl::Span<const int> inputs = storages.inputs[node], outputs = storages.outputs[node];
    size_t place = 0;
    ForEachTensor(of.inputs, [&](const TraceTensor& tensor) {
      const int storage = inputs[place++];
      const auto writer = writers.find(storage);
      const auto maker = makers.find({storage, tensor.id});
      if (writer == writers.end() && maker == makers.end()) return;
      const size_t from = graph.nodes[std::max(writer == writers.end() ? 0 : writer->second,
                                               maker == makers.end() ? 0 : maker->second)];
      if (seen.emplace(from, node).second)
        graph.edges.push_back({.from = from, .to = node, .tensor = TensorText(tensor)});
    });
    place = 0;
    ForEachTensor(of.outputs, [&](const TraceTensor& tensor) {
      const int storage = outputs[place++];
      if (storage == kNoStorage) return;
      makers[{storage, tensor.id}] = graph.nodes.size();
      const bool is_new = std::find(inputs.begin(), inputs.end(), storage) == inputs.end();
      if (is_new || absl::StrContains(of.op_schema, "!)")) writers[storage] = graph.nodes.size();
    });
    graph.nodes.push_back(node);
  }
  if (options.around == kNoNode) return graph;
  const size_t centre = options.around;
  std::erase_if(graph.edges, [&](const DataGraph::Edge& edge) {
    return edge.from != centre && edge.to != centre;
  });
  std::set<size_t> kept = {centre};
  for (const DataGraph::Edge& edge : graph.edges) kept.insert({edge.from, edge.to});
  std::erase_if(graph.nodes, [&](size_t node) { return kept.count(node) == 0; });
  return graph;
}

std::string DotText(const TraceTree& tree, const DataGraph& graph) {
  std::string text = "digraph trace {\n  node [shape=box, fontname=\"sans-serif\"];\n";
  for (const size_t node : graph.nodes) {
    const TraceNode of = tree.nodes[node];
    absl::StrAppend(&text, "  n", node,
                    " [label=", DotString(absl::StrCat(Name(of), " (", of.id, ")")), "];\n");
  }
  for (const DataGraph::Edge& edge : graph.edges) {
    absl::StrAppend(&text, "  n", edge.from, " -> n", edge.to, " [label=", DotString(edge.tensor),
                    "];\n");
  }
  return text + "}\n";
}

std::string GraphmlText(const TraceTree& tree, const DataGraph& graph) {
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
      "<key id=\"name\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>\n"
      "<key id=\"id\" for=\"node\" attr.name=\"id\" attr.type=\"long\"/>\n"
      "<key id=\"duration_ns\" for=\"node\" attr.name=\"duration_ns\" attr.type=\"long\"/>\n"
      "<key id=\"tensor\" for=\"edge\" attr.name=\"tensor\" attr.type=\"string\"/>\n"
      "<graph id=\"trace\" edgedefault=\"directed\">\n";
  for (const size_t node : graph.nodes) {
    const TraceNode of = tree.nodes[node];
    absl::StrAppend(&text, "<node id=\"n", node, "\"><data key=\"name\">", XmlString(Name(of)),
                    "</data><data key=\"id\">", of.id, "</data>",
                    of.duration_ns < 0
                        ? ""
                        : absl::StrCat("<data key=\"duration_ns\">", of.duration_ns, "</data>"),
                    "</node>\n");
  }
  for (const DataGraph::Edge& edge : graph.edges) {
    absl::StrAppend(&text, "<edge source=\"n", edge.from, "\" target=\"n", edge.to,
                    "\"><data key=\"tensor\">", XmlString(edge.tensor), "</data></edge>\n");
  }
  return text + "</graph>\n</graphml>\n";
}

}  // namespace assay::traces
