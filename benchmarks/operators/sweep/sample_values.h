#ifndef ASSAY_BENCHMARKS_OPERATORS_SWEEP_SAMPLE_VALUES_H_
#define ASSAY_BENCHMARKS_OPERATORS_SWEEP_SAMPLE_VALUES_H_

// ---------------------------------------------------------------------------------------------
// sample_values.h: values of arguments, from the texts of samples.txt.
//
//   f[2,3]      floats, uniform on [-1, 1)       i[2,3]<10   integers below 10 (4 without "<")
//   p[2,3]      floats, uniform on [0.1, 0.9)    i32 i8 u8   the same in other integer dtypes
//   m[2,3]      floats, uniform on [-0.9, 0.9)   g[2,3]      floats, uniform on [1.1, 1.9)
//   c[2,3]      complex numbers                  b[2,3]      booleans
//   sorted[5]   floats in ascending order        t:1,2,3     these integers; t:1,2/3,4 a matrix
//   spd[4,4]    positive definite                t32:1,2     the same in int32; t0:5 without dimensions
//   tri[4,4]    lower triangular, regular        zeros[2] ones[2]
//   n[4,4]      floats with named dimensions A, B; sp csp csr csc: sparse (csp: coalesced);
//   q, qc       quantized for each tensor or each channel; mk: in the layout of oneDNN
//   1  0.5  true  none  'text'  [1,2]  {f[2];f[2]}    numbers, flags, None, words, lists
//   floats      the dtype of floats
//
// Floats are drawn in float32 and then converted, so both precisions get the same numbers.
//
// Not for: seeded tensors of cases (harness/numerics), which another implementation must be able to
// make.
//
// Example:
//   absl::StatusOr<c10::IValue> weight = SampleValue("f[10,4]", at::kDouble, 7);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/ivalue.h>
#include <c10/core/ScalarType.h>

#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"

namespace assay::sweep {

// InvalidArgument for a text that is none of the above. c10::Error if LibTorch refuses to make it,
// for example a sparse tensor in a dtype that has none.
absl::StatusOr<c10::IValue> SampleValue(std::string_view text, at::ScalarType floats,
                                        uint64_t seed);

}  // namespace assay::sweep

#endif  // ASSAY_BENCHMARKS_OPERATORS_SWEEP_SAMPLE_VALUES_H_
