#ifndef ASSAY_BENCHMARKS_TRACES_REPLAY_TRACE_GRAPH_H_
#define ASSAY_BENCHMARKS_TRACES_REPLAY_TRACE_GRAPH_H_

// ---------------------------------------------------------------------------------------------
// trace_graph.h: the operators that a replay calls, as a graph (harness/dispatcher/operator_graph.h)
// whose constants are the memory that nobody in it makes, and what each call should return.
//
// One storage of the trace is one memory of the graph, so that views and in-place writes reach what
// they reached. A tensor that comes from nowhere, in memory that is there, is made by
// aten::as_strided.
//
// The constants' values are seeded, and what aten::empty made and the host wrote is a constant. Where
// the trace's values were saved, constants have them, and what the host wrote later is copied in
// before the call that read it.
//
// Example:
//   absl::StatusOr<TraceGraph> made = BuildGraph(tree, storages, plan, {.seed = 0});
//   execution::GraphProgram program(made->graph);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/dispatcher/operator_graph.h"
#include "benchmarks/traces/graph/storages.h"
#include "benchmarks/traces/graph/trace_tree.h"
#include "benchmarks/traces/replay/replay_plan.h"
#include "benchmarks/traces/replay/trace_constants.h"

namespace assay::traces {

// A tensor that a call should return.
struct ExpectedTensor {
  TraceTensor tensor;
  size_t result = 0;
  size_t place = 0;                   // among the tensors of the results, undefined ones too
  int item = -1;                      // of a list; -1: the result is the tensor
  int shares = execution::kNoTensor;  // an argument in whose memory it lies
};

at::Tensor ResultOf(const c10::Stack& results, const ExpectedTensor& want);
// The tensors that a call is about to read, by their numbers.
std::map<int, at::Tensor> ArgumentsOf(const execution::GraphCall& call,
                                      const execution::GraphReplay& replay);
// "aten::topk (node 17): result 1".
std::string ResultText(const TraceNode& node, const ExpectedTensor& want);

// The start of a replay's random numbers: the states that the program's generators had, or a seed.
struct RandomStart {
  bool draws = false;     // a call draws random numbers
  uint64_t seed = 0;      // where there is no state
  at::Tensor state = {};  // of LibTorch's CPU generator
  // Generators that calls are given, each with its state at that call.
  std::vector<std::pair<at::Generator, at::Tensor>> given = {};

  void Restore() const;
};

struct TraceGraph {
  execution::OperatorGraph graph = {};
  std::vector<size_t> nodes = {};  // by call: the node that it is made for
  std::vector<std::vector<ExpectedTensor>> expected =
      {};                                      // by call; of a call that was put in none
  std::vector<TraceTensor> outputs = {};       // as graph.outputs
  std::map<size_t, std::string> refused = {};  // calls of the plan that cannot be bound
  RandomStart random = {};
  int64_t bytes = 0;              // of the constants
  int constants = 0, seeded = 0;  // storages that nobody makes; those without saved values
  int views = 0;                  // calls of as_strided that were put in
  int host_written = 0;  // without values: storages that aten::empty made and the host wrote; with
                         // them: writes of the host to memory that was there
};

// Whether it makes memory and fills it with nothing: aten::empty and its like.
bool MakesEmpty(const TraceNode& node);

// The calls of the plan that can be bound; where `refused` is not empty, plan again. ResourceExhausted
// where the constants need more memory than the machine has.
absl::StatusOr<TraceGraph> BuildGraph(const TraceTree& tree, const Storages& storages,
                                      const ReplayPlan& plan, const GraphValues& values);

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_REPLAY_TRACE_GRAPH_H_
