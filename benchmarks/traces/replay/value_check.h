#ifndef ASSAY_BENCHMARKS_TRACES_REPLAY_VALUE_CHECK_H_
#define ASSAY_BENCHMARKS_TRACES_REPLAY_VALUE_CHECK_H_

// ---------------------------------------------------------------------------------------------
// value_check.h: replays a trace once with its saved values, call by call, and compares each result
// with what was recorded of it (recorded_results.h); of an operator that returns nothing, what it
// wrote to.
//
// It runs in this process and with all its threads, as another number of threads gives other bits.
// CheckReplay() has seen before that no call ends the process.
//
// Example:
//   ValueCheck check = CheckValues(tree, checked->graph);
//   if (!check.differences.empty()) return 1;
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "benchmarks/traces/graph/trace_tree.h"
#include "benchmarks/traces/replay/recorded_results.h"
#include "benchmarks/traces/replay/trace_graph.h"

namespace assay::traces {

struct ValueCheck {
  std::vector<std::string> differences = {};
  ResultCounts counts = {};
  std::vector<at::Tensor> outputs = {};  // copies of the graph's
};

// Leaves in the graph's constants what calls wrote there. Lets c10::Error through.
ValueCheck CheckValues(const TraceTree& tree, const TraceGraph& graph);

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_REPLAY_VALUE_CHECK_H_
