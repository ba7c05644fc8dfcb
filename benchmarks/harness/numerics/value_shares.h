#ifndef ASSAY_BENCHMARKS_HARNESS_NUMERICS_VALUE_SHARES_H_
#define ASSAY_BENCHMARKS_HARNESS_NUMERICS_VALUE_SHARES_H_

// ---------------------------------------------------------------------------------------------
// value_shares.h: how many elements of tensors are zero or subnormal. Both change how fast hardware
// computes: a GPU full of zeros draws less power and clocks higher (7 % measured by others on
// matrix products), and a CPU takes many times as long over subnormal numbers.
//
// Not for: closeness (comparison.h).
//
// Example:
//   if (SharesOf(inputs).zeros > 0.5) ...
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

namespace assay::numerics {

struct ValueShares {
  double zeros = 0;
  double subnormals = 0;
};

// Over all floating-point elements together; zeros where there are none. Lets c10::Error through.
ValueShares SharesOf(at::ArrayRef<at::Tensor> tensors);

// The share of subnormal elements in tensors of bfloat16, float32 and float64 (float16 is computed in
// float32 on a CPU, where its subnormals are normal). Estimated from at most 16384 evenly spaced
// elements of each tensor, so that large weights cost milliseconds. 0 where there are no such tensors.
// Lets c10::Error through.
double SubnormalShareOfSamples(at::ArrayRef<at::Tensor> tensors);

}  // namespace assay::numerics

#endif  // ASSAY_BENCHMARKS_HARNESS_NUMERICS_VALUE_SHARES_H_
