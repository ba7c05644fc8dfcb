#ifndef ASSAY_BENCHMARKS_OPERATORS_KERNEL_SIZED_CALL_H_
#define ASSAY_BENCHMARKS_OPERATORS_KERNEL_SIZED_CALL_H_

// ---------------------------------------------------------------------------------------------
// sized_call.h: an operator's row at given sizes: its inputs, drawn from a seed, its other
// arguments, and how far each output may be from the truth there.
//
// Limits are those of the error model of operators (defs/operator_limits.bzl), which this evaluates
// at any size; an operator without a row has the limits of its dtype (benchmarks/operators/judge).
//
// Example:
//   absl::StatusOr<SizedCall> sized = AtSizes(row, sizes, BF16, seed);
//   absl::StatusOr<execution::BoundOperator> bound = Bind("mine::softmax", *sized);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/dispatcher/boxed_operator.h"
#include "benchmarks/operators/kernel/kernel.pb.h"
#include "benchmarks/operators/kernel/sizes_text.h"
#include "defs/proto/suite.pb.h"

namespace assay::kernel {

// How far an output may be from the truth.
struct OutputLimit {
  enum class Kind { kSpread, kElements, kEqual } kind = Kind::kSpread;
  double rms = 0, largest = 0;  // kSpread: in units of the truth's standard deviation
  double rtol = 0, atol = 0;    // kElements: atol + rtol * |truth|
  double least_unit = 0;        // kSpread: the unit of errors is at least this
};

// The limit of an operator without a row: its dtype's, in units of the truth's spread.
OutputLimit DefaultLimit(Dtype dtype);

struct SizedCall {
  OperatorRow row;
  Sizes sizes;
  Dtype dtype = Dtype::FP32;
  // By the schema's names, "tensors.1" for an element of a list.
  std::vector<std::pair<std::string, at::Tensor>> inputs = {};
  std::vector<OutputLimit> limits = {};  // of the first outputs
};

// InvalidArgument for a dimension that has no value at these sizes, and what making an input refuses;
// ResourceExhausted where memory does not suffice.
absl::StatusOr<SizedCall> AtSizes(const OperatorRow& row, const Sizes& sizes, Dtype dtype,
                                  uint64_t seed);

// The call of the operator of this name. Errors of execution::BindOperator.
absl::StatusOr<execution::BoundOperator> Bind(std::string_view name, const SizedCall& call);

// The same with every floating-point input in float64.
SizedCall InFloat64(SizedCall call);

// The number of a product such as "2*h"; InvalidArgument for a letter without a size.
absl::StatusOr<int64_t> ProductAt(const std::string& product, const Sizes& sizes);

}  // namespace assay::kernel

#endif  // ASSAY_BENCHMARKS_OPERATORS_KERNEL_SIZED_CALL_H_
