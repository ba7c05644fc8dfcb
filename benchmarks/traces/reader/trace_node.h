#ifndef ASSAY_BENCHMARKS_TRACES_READER_TRACE_NODE_H_
#define ASSAY_BENCHMARKS_TRACES_READER_TRACE_NODE_H_

// ---------------------------------------------------------------------------------------------
// trace_node.h: one node of an execution trace, as every schema gives it: an operator, a range or a
// thread, with its arguments and results as values of their own types; and what a trace says beside
// its nodes.
//
// An operator's arguments stand in the order of its schema, with all defaults filled in.
//
// Not for: what a trace lacks. Values that LibTorch's observer does not write (a generator's state,
// a complex number) have the kind kLost.
//
// Example:
//   absl::StatusOr<TraceNode> node = ParseNode(text);   // node_json.h
//   if (node->IsOperator()) std::cout << node->op_schema;
// ---------------------------------------------------------------------------------------------

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace assay::traces {

struct TraceTensor {
  // Ids name addresses: a tensor that is made later may have the id of one that is gone.
  int64_t id = 0, storage = 0;
  int64_t offset = 0, elements = 0;  // of elements
  int64_t element_size = 0;          // bytes
  std::string device = {};
  std::string dtype = {};  // "float", "long int", "c10::BFloat16"
  std::vector<int64_t> sizes = {}, strides = {};
  bool has_strides = false;  // since schema 1.1.1

  bool operator==(const TraceTensor&) const = default;
};

struct TraceValue {
  enum class Kind {
    kNone,
    kTensor,
    kUndefinedTensor,
    kInt,
    kDouble,
    kBool,
    kString,
    kDevice,
    kGenerator,  // without its state
    kList,       // tuples, too
    kLost,       // the trace has no value; `text` is what stands in its place
  };
  Kind kind = Kind::kNone;
  std::string type = {};  // as the file has it
  int64_t integer = 0;    // 1 for true
  double number = 0;
  std::string text = {};  // of strings and devices
  TraceTensor tensor = {};
  std::vector<TraceValue> items = {};

  bool operator==(const TraceValue&) const = default;
};

// Values that the recorder of this suite writes beside the schema (harness/trace/capture.h). Places
// count the tensors of the inputs, or of the outputs, in the order of ForEachTensor(), undefined and
// sparse ones, too. Outputs of an operator that returns nothing are the tensors that it writes to.
struct RecordedValues {
  std::map<size_t, double> wrapped_numbers = {};        // inputs that are numbers of the program
  std::map<size_t, std::string> snapshots = {};         // inputs: tensors of the file of values
  std::map<size_t, std::string> generator_states = {};  // by argument: bytes in hex digits
  std::vector<std::string> output_digests = {};         // by output; "": nobody wrote its elements
  std::vector<std::vector<std::pair<int64_t, double>>> output_samples = {};  // places and values

  bool operator==(const RecordedValues&) const = default;
};

// An attribute of a node that this suite does nothing with, such as a collective's pg_name.
struct TraceAttribute {
  std::string name = {}, type = {};
  std::string json = {};  // the value

  bool operator==(const TraceAttribute&) const = default;
};

struct TraceNode {
  int64_t id = 0, ctrl_deps = 0;  // ctrl_deps: the id of the node that called this one
  std::string name = {};
  std::vector<TraceValue> inputs = {}, outputs = {};
  int64_t rf_id = 0, fw_parent = 0, seq_id = -1, scope = 0, tid = 0, fw_tid = 0;
  std::string op_schema = {}, kernel_backend = {}, kernel_file = {}, tensor_range = {};
  // The time of the call, its children included. -1: the trace has no times.
  int64_t start_ns = -1, duration_ns = -1;
  bool threw = false;
  std::vector<TraceAttribute> other_attributes = {};
  std::shared_ptr<const RecordedValues> recorded = {};  // null: the trace has no values

  // As PARAM counts: nodes of operators, collectives and Triton kernels. All others are labels.
  bool IsOperator() const {
    return name == "record_param_comms" || kernel_backend == "triton" ||
           (!op_schema.empty() && name.rfind("c10d::", 0) != 0);
  }
};

// "aten::add_.Tensor"; the name alone where the trace has no schema.
inline std::string OperatorName(const TraceNode& node) {
  return node.op_schema.empty() ? node.name : node.op_schema.substr(0, node.op_schema.find('('));
}

// A list that the observer has cut has this many elements.
inline constexpr size_t kCutList = 4097;

// Calls `take` with each tensor of the values, those in lists one by one.
template <typename Take>
void ForEachTensor(const std::vector<TraceValue>& values, Take&& take) {
  for (const TraceValue& value : values) {
    if (value.kind == TraceValue::Kind::kTensor) take(value.tensor);
    ForEachTensor(value.items, take);
  }
}

// Whether the recorder of this suite counts the value as a tensor: it counts undefined and sparse ones, too.
inline bool CountsAsTensor(const TraceValue& value) {
  return value.kind == TraceValue::Kind::kTensor ||
         value.kind == TraceValue::Kind::kUndefinedTensor ||
         (value.kind == TraceValue::Kind::kLost && value.type.rfind("Tensor(", 0) == 0);
}

// Whether the observer's six decimals may have lost more than a thousandth of the number. A real
// zero looks the same.
inline bool MayBeCut(const TraceValue& value) {
  return value.kind == TraceValue::Kind::kDouble && value.number > -5e-4 && value.number < 5e-4 &&
         value.number * 1e6 == static_cast<double>(static_cast<int64_t>(value.number * 1e6));
}

enum class TraceFormat { kExecutionTrace, kKineto, kChakra };

// Collectives are those of NCCL and RCCL. All kernels but these compute.
enum class KernelKind { kCompute, kCommunication, kMemory };

// A kernel, a copy or a fill, as a GPU ran it.
struct TraceKernel {
  size_t name = 0;  // a place in TraceReading::kernel_names
  KernelKind kind = KernelKind::kCompute;
  int64_t node = 0;  // the id of the innermost node that launched it; 0: the trace does not say
  int64_t start_ns = 0, duration_ns = 0;
  // The call of CUDA's runtime that launched it, maybe with others; -1: it is not in the trace.
  int64_t launch_ns = -1, launch_duration_ns = -1;
  int64_t device = -1, stream = -1, correlation = 0;
};

struct TraceReading {
  TraceFormat format = TraceFormat::kExecutionTrace;
  std::string schema = {};
  int64_t pid = 0;
  std::string time = {};                // of the machine's clock and zone: "2026-11-27 23:57:54"
  int64_t start_ms = 0, finish_ms = 0;  // of a steady clock
  bool exact = false;  // the recorder of this suite wrote it: numbers and lists are whole
  std::map<std::string, std::string> generators = {};  // by device: the state's bytes at the start
  int64_t nodes = 0;
  std::vector<std::string> kernel_names = {};
  std::vector<TraceKernel> kernels = {};  // in order of time
  int64_t without_length = 0;             // events of Kineto that were left out, as they have none
  std::string torn = {};                  // why the file is not whole; empty: it is
};

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_READER_TRACE_NODE_H_
