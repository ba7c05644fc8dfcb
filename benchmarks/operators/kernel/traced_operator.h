#ifndef ASSAY_BENCHMARKS_OPERATORS_KERNEL_TRACED_OPERATOR_H_
#define ASSAY_BENCHMARKS_OPERATORS_KERNEL_TRACED_OPERATOR_H_

// ---------------------------------------------------------------------------------------------
// traced_operator.h: an operator whose kernel is a reference in Python, traced once for each of the row's
// sizes by tools/kernel/request/flashinfer_reference.py: in float64, and in the dtypes of its definition. So a
// reference is the truth, and what a kernel is timed against, as one of ATen's operators is.
//
// A call is that of the first sizes whose shapes and integers its inputs have; there is no other. A trace
// holds for other floating-point numbers, but not for other integers.
//
// Example:
//   absl::Status registered = RegisterTraced(row);          // row.traced().schema()
//   absl::Status fixed = FixInputs(row, sizes, inputs);     // those that other numbers may not replace
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "benchmarks/operators/kernel/kernel.pb.h"

namespace assay::kernel {

// Once for each row. FailedPrecondition, in LibTorch's words, for a schema that is none.
absl::Status RegisterTraced(const OperatorRow& row);

// Replaces the inputs that the sizes' trace has numbers for. FailedPrecondition where it cannot be read.
absl::Status FixInputs(const OperatorRow& row, const Sizes& sizes,
                       std::vector<std::pair<std::string, at::Tensor>>& inputs);

}  // namespace assay::kernel

#endif  // ASSAY_BENCHMARKS_OPERATORS_KERNEL_TRACED_OPERATOR_H_
