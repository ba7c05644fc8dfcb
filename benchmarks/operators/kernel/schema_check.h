#ifndef ASSAY_BENCHMARKS_OPERATORS_KERNEL_SCHEMA_CHECK_H_
#define ASSAY_BENCHMARKS_OPERATORS_KERNEL_SCHEMA_CHECK_H_

// ---------------------------------------------------------------------------------------------
// schema_check.h: holds an operator's schema and its kernel for Meta to what a call did, as test_schema and
// test_faketensor of torch.library.opcheck do. A result that the schema marks as an argument's alias lies in
// its memory, if the argument is contiguous; no other result does. Shapes, dtypes and strides of the kernel
// for Meta are those of the call.
//
// Arguments that the schema does not mark as written to are read-only during the call
// (guarded_memory.h), so this does not look at them.
//
// Example:
//   SchemaFault fault = FaultOf(bound.handle, arguments, results);
//   if (!fault.kind.empty()) Print(fault.text);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <string>

namespace assay::kernel {

struct SchemaFault {
  // "returns an input's memory", "returns no view", "results share memory", "wrong shape function"
  std::string kind = {};
  std::string text = {};
};

// Calls the kernel for Meta, where there is one.
SchemaFault FaultOf(const c10::OperatorHandle& handle, const c10::Stack& arguments,
                    const c10::Stack& results);

// The kernel that torch.compile misses in the operator of this name, and the fix; empty: it has it.
std::string MissingShapeFunction(const std::string& name);

}  // namespace assay::kernel

#endif  // ASSAY_BENCHMARKS_OPERATORS_KERNEL_SCHEMA_CHECK_H_
