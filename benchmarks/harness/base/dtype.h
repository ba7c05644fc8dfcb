#ifndef ASSAY_BENCHMARKS_HARNESS_BASE_DTYPE_H_
#define ASSAY_BENCHMARKS_HARNESS_BASE_DTYPE_H_

// ---------------------------------------------------------------------------------------------
// dtype.h: the suite's element types as LibTorch's, and their names in cases and messages.
//
// Not for: the element types of files (safetensors.h), of which there are more.
//
// Example:
//   at::Tensor x = at::empty(shape, ToScalarType(Dtype::BF16));   // DtypeName(...) == "bf16"
// ---------------------------------------------------------------------------------------------

#include <string_view>

#include "c10/core/ScalarType.h"
#include "defs/proto/suite.pb.h"

namespace assay::base {

// Undefined for DTYPE_UNSPECIFIED.
c10::ScalarType ToScalarType(Dtype dtype);

// DTYPE_UNSPECIFIED for a type that no case can have (e.g. complex).
Dtype FromScalarType(c10::ScalarType type);

// As in a case's name: "fp32", "bf16", "int64"; "unspecified" for DTYPE_UNSPECIFIED.
std::string_view DtypeName(Dtype dtype);

bool IsFloatingPoint(Dtype dtype);

}  // namespace assay::base

#endif  // ASSAY_BENCHMARKS_HARNESS_BASE_DTYPE_H_
