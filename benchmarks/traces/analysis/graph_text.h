#ifndef ASSAY_BENCHMARKS_TRACES_ANALYSIS_GRAPH_TEXT_H_
#define ASSAY_BENCHMARKS_TRACES_ANALYSIS_GRAPH_TEXT_H_

// ---------------------------------------------------------------------------------------------
// graph_text.h: which operator's result is which operator's argument, for programs that draw graphs.
//
// Example:
//   const DataGraph graph = GraphOf(tree, FindStorages(tree), {});
//   WriteFile("step.dot", DotText(tree, graph));
// ---------------------------------------------------------------------------------------------

#include <cstddef>
#include <string>
#include <vector>

#include "benchmarks/traces/graph/storages.h"
#include "benchmarks/traces/graph/trace_tree.h"

namespace assay::traces {

struct DataGraph {
  struct Edge {
    size_t from = kNoNode, to = kNoNode;  // nodes; `from` made the tensor or wrote to it last
    std::string tensor = {};              // "float[8, 512]"
  };
  std::vector<size_t> nodes = {};  // operators, in order
  std::vector<Edge> edges = {};
};

struct GraphOptions {
  bool detail = false;     // operators within operators, in place of those that call them
  size_t under = kNoNode;  // only what this node calls
  size_t around =
      kNoNode;  // only this operator, and those that it has its arguments from and for whom
                // its results are
};

DataGraph GraphOf(const TraceTree& tree, const Storages& storages, const GraphOptions& options);

// Graphviz's language, and GraphML. Names are escaped.
std::string DotText(const TraceTree& tree, const DataGraph& graph);
std::string GraphmlText(const TraceTree& tree, const DataGraph& graph);

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_ANALYSIS_GRAPH_TEXT_H_
