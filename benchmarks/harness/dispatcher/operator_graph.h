#ifndef ASSAY_BENCHMARKS_HARNESS_DISPATCHER_OPERATOR_GRAPH_H_
#define ASSAY_BENCHMARKS_HARNESS_DISPATCHER_OPERATOR_GRAPH_H_

// ---------------------------------------------------------------------------------------------
// operator_graph.h: calls of operators with the tensors that go from one to the next, and their
// replay through LibTorch's dispatcher: what eager does, without the model's code.
//
// A reader binds each call's arguments to the operator's schema once (boxed_operator.h) and numbers
// the tensors; a replay fills them in. A tensor is let go after its last use; its memory goes with
// the last tensor that shares it, a view or what a call in place returned.
//
// A call may write to its arguments. What it writes into the graph's constants, or into a tensor
// that a replay was given, is there in the next replay: graph_program.h brings it back.
//
// A value may also be a number: the size of a tensor, or what is computed of it. Numbers have no dtype; a call
// takes one where its schema wants an int, a float, a Scalar or a tensor.
//
// Example: the reader of torch.export's files, benchmarks/backends/exported_graph.h.
//   OperatorGraph graph;
//   graph.inputs.push_back({.value = graph.NewValue(), .dtype = at::kFloat, .sizes = {8, 3}});
//   graph.calls.push_back({.handle = relu, .arguments = {at::Tensor()},
//                          .tensors = {{.argument = 0, .values = {0}}},
//                          .results = {{graph.NewValue()}}, .result_is_list = {false}});
//   graph.outputs = {1};
//   graph.FindLastUses();
//   std::vector<at::Tensor> outputs = graph.Call({x});
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace assay::execution {

// Numbers name tensors: a place in the list of values that a replay keeps. A call that writes to a
// tensor may return it under the same number.
constexpr int kNoTensor = -1;

// An argument that is a tensor, or a list of them; `arguments` of the call holds the others.
struct TensorArgument {
  size_t argument = 0;
  bool list = false;
  bool optional = false;    // a list whose elements may be None
  std::vector<int> values;  // one, or those of the list; kNoTensor: None
  bool number =
      false;  // `values` are numbers; of a list of integers, kNoTensor is one of `literals`
  std::vector<int64_t> literals = {};  // as many as `values`
};

// A size of an input that the graph leaves open. Sizes of one name are equal.
struct OpenSize {
  std::string name = {};  // empty: none
  int64_t least = 0;
  int64_t most = std::numeric_limits<int64_t>::max();
};

struct GraphCall {
  c10::OperatorHandle handle;
  c10::Stack arguments = {};
  std::vector<TensorArgument> tensors = {};
  std::vector<std::vector<int>> results = {};  // of each result: the tensor, or those of a list
  std::vector<bool> result_is_list = {};
  std::vector<int> last_uses = {};  // tensors that nobody reads after this call
};

struct OperatorGraph {
  // A tensor that each replay is given.
  struct Input {
    int value = kNoTensor;
    at::ScalarType dtype = at::kFloat;
    std::vector<int64_t> sizes = {};  // -1: open
    std::string name = {};
    std::map<size_t, OpenSize> open = {};  // by dimension
  };

  std::vector<Input> inputs = {};
  std::vector<at::Tensor> constants = {};  // by value; undefined where a call computes it
  std::vector<GraphCall> calls = {};
  std::vector<int> outputs = {};
  // Tensors whose shape a call changes in place. A replay changes handles of its own.
  std::vector<int> reshaped = {};

  // The number of another tensor.
  int NewValue();
  // Fills in last_uses and `reshaped`, when all calls and outputs are there.
  void FindLastUses();
  // Replays all calls. `given` as `inputs`; the outputs in order. Lets c10::Error through.
  std::vector<at::Tensor> Call(const std::vector<at::Tensor>& given) const;
};

// The tensors that the call writes to, by their numbers: those of the arguments that its schema
// marks, "(a!)", and the running statistics that a normalisation updates, which no schema marks.
std::vector<int> WrittenBy(const GraphCall& call);
// Whether it gives a tensor that it writes to another shape, as aten::t_ does.
bool ReshapesInPlace(const GraphCall& call);

// One replay, call by call. The graph must outlive it.
class GraphReplay {
 public:
  // `given` as the graph's inputs.
  GraphReplay(const OperatorGraph& graph, const std::vector<at::Tensor>& given);

  // Undefined before a call computes it, and after its last use.
  const at::Tensor& operator[](int value) const {
    return values_.at(static_cast<size_t>(value)).toTensor();
  }

  // The arguments of a call that is next.
  c10::Stack ArgumentsOf(const GraphCall& call) const;
  // Makes a call of the graph, all before which are made, and returns its results. Lets c10::Error
  // through.
  c10::Stack Make(const GraphCall& call);

 private:
  c10::IValue Of(const GraphCall& call, const TensorArgument& argument) const;
  c10::IValue NumberOf(const GraphCall& call, const TensorArgument& argument) const;
  void Take(const GraphCall& call, const c10::Stack& results);

  std::vector<c10::IValue> values_;
};

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_DISPATCHER_OPERATOR_GRAPH_H_
