#ifndef ASSAY_BENCHMARKS_HARNESS_PROGRAMS_GRAPH_PROGRAM_H_
#define ASSAY_BENCHMARKS_HARNESS_PROGRAMS_GRAPH_PROGRAM_H_

// ---------------------------------------------------------------------------------------------
// graph_program.h: a graph of operators as a program.
//
//   replay    all calls, one after another
//   call.17   call number 17 of the graph, alone, with the arguments that the calls before it made
//
// The graph's constants are the program's state, "leaf.<number>". One memory is one entry of the
// state, under the lowest number of the leaves in it: leaves that share memory, and views of it,
// still do after To().
//
// Calls may write to leaves, directly or through a view. Which leaves a call writes is seen in the
// first replay, by the memory of the arguments that it writes to (WrittenBy()). Reset() and
// Prepare() bring these leaves back and no others. So a case whose step writes says that the step
// is prepared (StepSpec). An input that a call writes to is copied first, within the replay.
//
// A dtype or device among a call's arguments stays as the graph has it.
//
// Not for: reading graphs, nor timing a call alone that changes its argument's shape (aten::t_).
//
// Example:
//   GraphProgram program(std::move(graph), /*filled=*/{weight});
//   program.To(at::kCPU, at::kFloat);
//   Tensors outputs = program.Outputs(inputs);
// ---------------------------------------------------------------------------------------------

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "benchmarks/harness/dispatcher/operator_graph.h"
#include "benchmarks/harness/programs/program.h"

namespace assay::execution {

inline constexpr std::string_view kReplay = "replay", kOneCall = "call.";

class GraphProgram final : public Program {
 public:
  // `filled`: the constants whose values the harness makes; all others have theirs. A constant that
  // no call and no output reads may be undefined.
  explicit GraphProgram(OperatorGraph graph, std::vector<int> filled = {});

  // kPure where no call writes to an argument or, once the first replay was made, to a leaf.
  StateContract Contract() const override;
  std::vector<models::NamedTensor> State() override;
  // Undefined leaves each dtype as it is. Lets c10::Error through where leaves of two dtypes share
  // memory.
  void To(at::Device device, at::ScalarType dtype) override;
  Tensors Outputs(TensorsRef inputs) override;
  void Begin(Step step, TensorsRef inputs) override;
  void Prepare(Step step, TensorsRef inputs) override;
  Tensors Call(Step step, TensorsRef inputs) override;
  bool VerifiesAsTimed(Step step) const override { return step == kReplay; }
  std::vector<VerifiedOutput> Verified(Step step, Tensors returned) override;
  void Reset() override;

  // The names of the leaves that calls of the step write. Known once Begin() or Outputs() was
  // called after the last To().
  std::vector<std::string> Written(Step step) const;

 private:
  // One memory of the state.
  struct Memory {
    std::vector<int> leaves = {};  // by their numbers, ascending
    at::Tensor all = {};           // its elements; of one leaf that covers it, that leaf
    at::Tensor before = {};        // a copy, where calls write to it
  };

  void FindMemories();
  // Makes the first replay: finds what calls write, and keeps a copy of it.
  void Learn(TensorsRef inputs);
  void LearnCall(size_t call, const GraphReplay& replay, TensorsRef given);
  // The inputs, those that calls write to as copies.
  Tensors Given(TensorsRef inputs) const;
  // The outputs, those that share memory with a written leaf as copies.
  Tensors Kept(Tensors outputs) const;
  // The number of the call that the step is; nothing for a replay. Throws for any other step.
  std::optional<size_t> OneCall(Step step) const;
  bool WritesState() const;
  std::string NameOf(const Memory& memory) const;

  OperatorGraph graph_;
  const std::vector<int> filled_;
  const bool writes_;
  std::vector<Memory> memories_;
  bool learned_ = false;
  std::vector<std::vector<size_t>> written_;  // by call, the places in `memories_`
  std::vector<bool> inputs_written_;
  Tensors outputs_;                 // of the last replay that writes
  const GraphCall* one_ = nullptr;  // the call that is the step; null for a replay
  c10::Stack arguments_ = {};       // its
  std::vector<std::pair<at::Tensor, at::Tensor>> restored_ = {};  // those it writes to, and copies
};

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_PROGRAMS_GRAPH_PROGRAM_H_
