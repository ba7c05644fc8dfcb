#ifndef ASSAY_BENCHMARKS_TRACES_REPLAY_TRACE_PROGRAM_H_
#define ASSAY_BENCHMARKS_TRACES_REPLAY_TRACE_PROGRAM_H_

// ---------------------------------------------------------------------------------------------
// trace_program.h: a replay of a trace as a program of a case, whose one step is a replay of all
// calls (harness/programs/graph_program.h). Tensors keep the dtypes of the trace; random numbers
// begin anew before each call that is prepared.
//
// Example:
//   TraceProgram program(checked->graph.graph, checked->graph.random);
// ---------------------------------------------------------------------------------------------

#include <vector>

#include "benchmarks/harness/dispatcher/operator_graph.h"
#include "benchmarks/harness/programs/graph_program.h"
#include "benchmarks/harness/programs/program.h"
#include "benchmarks/traces/replay/trace_graph.h"

namespace assay::traces {

class TraceProgram final : public execution::Program {
 public:
  // Replays the graph once.
  TraceProgram(execution::OperatorGraph graph, RandomStart random);

  // Whether a call must be prepared: it writes to what the next one reads, or draws random numbers.
  bool NeedsPreparing() const;

  execution::StateContract Contract() const override;
  std::vector<models::NamedTensor> State() override { return replay_.State(); }
  void To(at::Device device, at::ScalarType dtype) override;
  execution::Tensors Outputs(execution::TensorsRef inputs) override;
  void Begin(execution::Step step, execution::TensorsRef inputs) override;
  void Prepare(execution::Step step, execution::TensorsRef inputs) override;
  execution::Tensors Call(execution::Step step, execution::TensorsRef inputs) override;
  bool VerifiesAsTimed(execution::Step /*step*/) const override { return true; }
  std::vector<execution::VerifiedOutput> Verified(execution::Step step,
                                                  execution::Tensors returned) override;
  void Reset() override { replay_.Reset(); }

 private:
  // Finds what calls write, by a replay, so that Contract() stays the same from then on.
  void Learn();

  execution::GraphProgram replay_;
  const RandomStart random_;
};

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_REPLAY_TRACE_PROGRAM_H_
