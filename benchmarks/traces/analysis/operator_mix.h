#ifndef ASSAY_BENCHMARKS_TRACES_ANALYSIS_OPERATOR_MIX_H_
#define ASSAY_BENCHMARKS_TRACES_ANALYSIS_OPERATOR_MIX_H_

// ---------------------------------------------------------------------------------------------
// operator_mix.h: which different calls a program is made of, how often it makes each, and how much
// of the recorded time each takes.
//
// Two calls are equal if they have the same operator with its overload, the same numbers and texts,
// and tensors of the same shapes, dtypes and strides. Devices and memory do not count.
//
// Example:
//   const OperatorMix mix = MixOf(tree, PlanReplay(tree, storages, {}).calls);
//   mix.operators[0].nodes.size();   // how often the most expensive call is made
// ---------------------------------------------------------------------------------------------

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/traces/graph/trace_tree.h"
#include "benchmarks/traces/reader/trace_node.h"

namespace assay::traces {

// "float[8, 512]{512, 1}": a tensor with its strides, which contiguous ones leave out.
std::string TensorText(const TraceTensor& tensor);

// "aten::add_.Tensor(float[8, 512], 1, 1)". Equal calls have the same text, numbers all their digits.
std::string CallText(const TraceNode& node);

struct MixedOperator {
  std::vector<size_t> nodes = {};  // equal calls, in order
  size_t timed = 0;                // how many of them have a time
  int64_t recorded_ns = 0;         // of these together
};

struct OperatorMix {
  // The longest time first; without times the most calls.
  std::vector<MixedOperator> operators = {};
  size_t calls = 0, timed = 0;  // how many there are, and how many of them have a time
  int64_t operators_ns = 0;     // of these together
  int64_t whole_ns = 0;         // from the first node's begin to the last one's end
};

OperatorMix MixOf(const TraceTree& tree, const std::vector<size_t>& calls);

// Whether the operator's schema returns an argument's memory, as a view does.
bool IsView(const TraceNode& node);

// Whether the operator leaves its work to operators that it calls: conv2d to mkldnn_convolution, linear to
// addmm. Those that make memory, views and copies do not count: addmm works itself.
bool PassesOn(const TraceTree& tree, size_t node);

// In place of each call the operators within it that do the work.
std::vector<size_t> WorkersOf(const TraceTree& tree, const std::vector<size_t>& calls);

// The values that a tensor among the arguments must hold, by its place in the order of ForEachTensor().
struct NeededContent {
  std::optional<int64_t> limit = {};  // indices: all are below it
  bool positive = false;
};
using NeededContents = std::map<size_t, NeededContent>;

// The number that a tensor of the arguments stands for, as of x + 1; the places of RecordedValues count
// undefined tensors and such without memory, too.
class WrappedNumbers {
 public:
  explicit WrappedNumbers(const TraceNode& node) : recorded_(node.recorded.get()) {}
  // To be called with each argument that is no list, in order.
  std::optional<double> Next(const TraceValue& value);

 private:
  const RecordedValues* recorded_;
  size_t place_ = 0;
};

// Whether a normalization in training writes to its running statistics, which its schema does not
// say: the places of these arguments.
std::vector<size_t> RunningStatistics(const TraceNode& node);

struct PredictedOperator {
  size_t rank = 0;           // in OperatorMix::operators
  double predicted_ns = 0;   // of all its calls
  double comparable_ns = 0;  // of those that have a time in the trace
};

struct Prediction {
  // The largest difference from the recorded time first; without times in the mix's order.
  std::vector<PredictedOperator> operators = {};
  std::vector<size_t> unmeasured = {};  // ranks
  double predicted_ns = 0, comparable_ns = 0;
  int64_t covered_ns = 0;     // recorded for the operators that were measured
  int64_t unmeasured_ns = 0;  // for the others
};

// `time` gives nanoseconds of one call, by rank.
Prediction Predict(const OperatorMix& mix,
                   const std::function<std::optional<double>(size_t rank)>& time);

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_ANALYSIS_OPERATOR_MIX_H_
