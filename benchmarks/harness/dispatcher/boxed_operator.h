#ifndef ASSAY_BENCHMARKS_HARNESS_DISPATCHER_BOXED_OPERATOR_H_
#define ASSAY_BENCHMARKS_HARNESS_DISPATCHER_BOXED_OPERATOR_H_

// ---------------------------------------------------------------------------------------------
// boxed_operator.h: binds arguments to any operator that LibTorch's dispatcher knows, and checks
// them against its schema before the first call: there, one argument too few would crash the
// process.
//
// Arguments are IValues as a file or a person gives them: positional ones, then named ones. They are
// converted to the schema's types as Python's own parser does: a list of integers for int[], one
// integer for int[2], an integer for a float or a Scalar, the name of a dtype, a list with None for
// Tensor?[]; a number for a tensor where no other overload takes it.
//
// Not for: reading arguments, or counting costs.
//
// Example:
//   absl::StatusOr<BoundOperator> add = BindOperator("aten::add", {.positional = {a, b}});
//   c10::Stack stack = add->arguments;
//   add->handle.callBoxed(stack);   // results take the arguments' place
// ---------------------------------------------------------------------------------------------

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace assay::execution {

struct OperatorArguments {
  std::vector<c10::IValue> positional = {};
  std::vector<std::pair<std::string, c10::IValue>> named = {};
  // Whether positional arguments may continue into the schema's keyword-only ones, as in
  // TorchScript's IR.
  bool keywords_by_position = false;
};

// An operator and one value for each argument of its schema.
struct BoundOperator {
  c10::OperatorHandle handle;
  c10::Stack arguments;
};

// `name` is "aten::add", for the first overload that takes the arguments, or "aten::add.Tensor".
// Overloads that write their result to an argument "out" must be named in full. NotFound, with
// similar names, for an operator that does not exist; InvalidArgument, naming argument, type and
// schema, where no overload takes the arguments.
absl::StatusOr<BoundOperator> BindOperator(std::string_view name,
                                           const OperatorArguments& arguments);

// One value for each argument of a schema, which need not be an operator's: fills in defaults and
// converts types. InvalidArgument as for BindOperator.
absl::StatusOr<c10::Stack> BindArguments(const c10::FunctionSchema& schema,
                                         const OperatorArguments& arguments);

// The tensors that a call left on the stack, those in lists one by one. Undefined tensors and other
// values are left out.
std::vector<at::Tensor> TensorsOf(const c10::Stack& results);

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_DISPATCHER_BOXED_OPERATOR_H_
