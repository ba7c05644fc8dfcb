#ifndef ASSAY_BENCHMARKS_TRACES_GRAPH_TRACE_TREE_H_
#define ASSAY_BENCHMARKS_TRACES_GRAPH_TRACE_TREE_H_

// ---------------------------------------------------------------------------------------------
// trace_tree.h: who called whom in a trace, and in which order. Files have children before their
// parents; ids are given when a node begins.
//
// Nodes are named by their places in Trace::nodes. A node whose parent is not in the file is a root:
// an operator that threw, or a trace that was switched off within an operator, leaves such nodes.
//
// Example:
//   const TraceTree tree(trace.nodes);
//   for (size_t node : tree.order) if (tree.OperatorAbove(node) == kNoNode) ...   // top-most ones
// ---------------------------------------------------------------------------------------------

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "benchmarks/traces/reader/node_list.h"
#include "benchmarks/traces/reader/trace_node.h"

namespace assay::traces {

// A trace has fewer nodes (LoadTrace()), so that 32 bits hold a place.
inline constexpr size_t kNoNode = std::numeric_limits<uint32_t>::max();

struct TraceTree {
  // `nodes` must outlive it.
  explicit TraceTree(const NodeList& nodes);

  bool IsOperator(size_t node) const { return nodes.CallOf(node).IsOperator(); }
  // The nodes that it calls itself, in order.
  absl::Span<const uint32_t> Children(size_t node) const {
    return absl::MakeSpan(children).subspan(child_starts[node],
                                            child_starts[node + 1] - child_starts[node]);
  }
  // Whether `above` is `node` or calls it, directly or not.
  bool Within(size_t node, size_t above) const;
  // The nearest operator that calls the node; kNoNode: none does.
  size_t OperatorAbove(size_t node) const;
  // Whether `under` calls the node, directly or not; kNoNode calls all.
  bool Under(size_t node, size_t under) const {
    return under == kNoNode || (node != under && Within(node, under));
  }
  // Whether the node is an operator under `under` that no other operator there calls.
  bool IsTopMost(size_t node, size_t under = kNoNode) const;
  // The operators that the node calls, directly or through labels, in order.
  std::vector<size_t> OperatorsBelow(size_t node) const;

  const NodeList& nodes;
  std::vector<uint32_t> order = {};                        // all nodes by their ids: as they began
  std::vector<uint32_t> parent = {};                       // by node; kNoNode: a root
  std::vector<uint32_t> children = {}, child_starts = {};  // those of each node, one after another
  std::vector<size_t> roots = {};
  std::vector<size_t> twice = {};    // nodes whose id another node before them has
  std::vector<size_t> orphans = {};  // whose parent is not in the file
  std::vector<size_t> cyclic = {};   // that call themselves; they are made roots
};

// Calls `begin` and `end` for each operator as a program of one thread would have: an operator ends
// where the next one begins that it does not call.
void WalkOperators(const TraceTree& tree, const std::function<void(size_t node)>& begin,
                   const std::function<void(size_t node)>& end);

// A begin is {time, 1}, an end {time, -1}.
using TimeMarks = std::vector<std::pair<int64_t, int>>;

void Mark(TimeMarks& marks, int64_t start_ns, int64_t duration_ns);

// The time in which at least `least` have begun and not ended.
int64_t TimeOpen(TimeMarks marks, int least = 1);

// From the begin of the first node that has a time to the end of the last one; nothing where none has.
// `under`: only nodes that this one calls.
std::optional<int64_t> SpanNs(const TraceTree& tree, size_t under = kNoNode);

// The time of the node without the operators in it, and not negative.
int64_t OwnNs(const TraceTree& tree, size_t node);

// The time of autograd's engine and its nodes, without the operators that they call.
int64_t EngineNs(const TraceTree& tree, size_t under = kNoNode);

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_GRAPH_TRACE_TREE_H_
