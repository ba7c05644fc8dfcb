#ifndef ASSAY_BENCHMARKS_TRACES_REPLAY_TRACED_CALL_H_
#define ASSAY_BENCHMARKS_TRACES_REPLAY_TRACED_CALL_H_

// ---------------------------------------------------------------------------------------------
// traced_call.h: an operator of a trace as one that LibTorch's dispatcher can call, with all its
// arguments but the tensors.
//
// Operators of a GPU are called on the CPU: devices become the CPU, and no memory is pinned.
//
// Example:
//   absl::StatusOr<execution::BoundOperator> call = BindTraced(node);
//   if (!call.ok()) lost[node.id] = call.status().message();   // "aten::ad: there is no operator ..."
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <optional>
#include <string_view>

#include "absl/status/statusor.h"
#include "benchmarks/harness/dispatcher/boxed_operator.h"
#include "benchmarks/traces/reader/trace_node.h"

namespace assay::traces {

// Nothing for an operator that this LibTorch does not have.
std::optional<c10::OperatorHandle> OperatorOf(const TraceNode& node);

// Undefined tensors stand for the tensors, also in lists. A status that says why it cannot be called:
// unknown here, no kernel for the CPU, another schema, a value that the trace has lost.
// Without `has_results` the trace need not have the results: torch.profiler's has none.
absl::StatusOr<execution::BoundOperator> BindTraced(const TraceNode& node, bool has_results = true);

// "long int". Nothing for a dtype that LibTorch does not have.
std::optional<at::ScalarType> ScalarTypeOf(std::string_view dtype);

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_REPLAY_TRACED_CALL_H_
