#ifndef ASSAY_BENCHMARKS_BACKENDS_EXPORTED_GRAPH_H_
#define ASSAY_BENCHMARKS_BACKENDS_EXPORTED_GRAPH_H_

// ---------------------------------------------------------------------------------------------
// exported_graph.h: reads the archive that torch.export.save() writes (.pt2) and calls its graph,
// operator by operator, through LibTorch's dispatcher: what eager does, without the model's code.
//
// An archive is a zip with models/<name>.json, the graph in the schema of
// torch/_export/serde/schema.py (version 8), and data/weights/, one file for each storage. An
// operator's arguments are checked against its schema and converted once, when the file is read; a
// call fills in the tensors. A tensor is let go after its last use.
//
// Why not torch::nativert, which LibTorch 2.11 has for these files: there `mul` by a number of a
// tensor that is not contiguous gives garbage, without an error.
//
// Not for: graphs with symbolic shapes, with other graphs inside (torch.cond), or that write to
// their inputs or weights; they are refused by name.
//
// Example:
//   absl::StatusOr<ExportedGraph> graph = ReadExportedGraph("module.pt2");
//   std::vector<at::Tensor> outputs = graph->Call({image});
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace assay::backends {

// Numbers name tensors: a place in the list of values that a call keeps.
constexpr int kNoTensor = -1;

// An argument that is a tensor, or a list of them; `arguments` of the call holds the others.
struct TensorArgument {
  size_t argument = 0;
  bool list = false;
  bool optional = false;    // a list whose elements may be None
  std::vector<int> values;  // one, or those of the list; kNoTensor: None
};

struct OperatorCall {
  c10::OperatorHandle handle;
  c10::Stack arguments = {};
  std::vector<TensorArgument> tensors = {};
  std::vector<std::vector<int>> results = {};  // of each result: the tensor, or those of a list
  std::vector<bool> result_is_list = {};
  std::vector<int> last_uses = {};  // tensors that nobody reads after this call
};

class ExportedGraph {
 public:
  // Inputs as the file has them, in order.
  struct Input {
    int value = kNoTensor;
    at::ScalarType dtype = at::kFloat;
    std::vector<int64_t> sizes;
    std::string name;
  };

  const std::vector<Input>& inputs() const { return inputs_; }
  // `inputs` as those of the file. Lets c10::Error through.
  std::vector<at::Tensor> Call(const std::vector<at::Tensor>& inputs) const;

 private:
  friend class ExportedGraphReader;

  std::vector<Input> inputs_;
  std::vector<at::Tensor> constants_;  // by value; undefined where a call computes it
  std::vector<OperatorCall> calls_;
  std::vector<int> outputs_;
};

// InvalidArgument, naming the operator or the member, for a graph that it cannot call. What is cut
// off or malformed raises an exception of LibTorch's or of the JSON library's.
absl::StatusOr<ExportedGraph> ReadExportedGraph(const std::string& path);

}  // namespace assay::backends

#endif  // ASSAY_BENCHMARKS_BACKENDS_EXPORTED_GRAPH_H_
