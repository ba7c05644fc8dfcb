#ifndef ASSAY_BENCHMARKS_TRACES_REPLAY_TRACE_GRAPH_H_
#define ASSAY_BENCHMARKS_TRACES_REPLAY_TRACE_GRAPH_H_

// ---------------------------------------------------------------------------------------------
// trace_graph.h: the operators that a replay calls, as a graph (harness/dispatcher/operator_graph.h)
// whose constants are the memory that nobody in it makes, and what each call should return.
//
// One storage of the trace is one memory of the graph, so that views and in-place writes reach what
// they reached. A tensor that comes from nowhere, in memory that is there, is made by
// aten::as_strided. What aten::empty made and the host wrote is a constant.
//
// Example:
//   absl::StatusOr<TraceGraph> made = BuildGraph(tree, storages, plan, /*seed=*/0);
//   execution::GraphProgram program(made->graph);
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/dispatcher/operator_graph.h"
#include "benchmarks/traces/graph/storages.h"
#include "benchmarks/traces/graph/trace_tree.h"
#include "benchmarks/traces/replay/replay_plan.h"

namespace assay::traces {

// A tensor that a call should return.
struct ExpectedTensor {
  TraceTensor tensor;
  size_t result = 0;
  int item = -1;                      // of a list; -1: the result is the tensor
  int shares = execution::kNoTensor;  // an argument in whose memory it lies
};

struct TraceGraph {
  execution::OperatorGraph graph = {};
  std::vector<size_t> nodes = {};  // by call: the node that it is made for
  std::vector<std::vector<ExpectedTensor>> expected =
      {};                                      // by call; of a view that was put in none
  std::vector<TraceTensor> outputs = {};       // as graph.outputs
  std::map<size_t, std::string> refused = {};  // calls of the plan that cannot be bound
  bool random = false;                         // a call draws random numbers
  int64_t bytes = 0;                           // of the constants
  int constants = 0, views = 0;  // seeded storages; calls of as_strided that were put in
  int host_written =
      0;  // storages that aten::empty made and no operator wrote before they were read
};

// The calls of the plan that can be bound; where `refused` is not empty, plan again. ResourceExhausted
// where the constants need more memory than the machine has.
absl::StatusOr<TraceGraph> BuildGraph(const TraceTree& tree, const Storages& storages,
                                      const ReplayPlan& plan, uint64_t seed);

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_REPLAY_TRACE_GRAPH_H_
