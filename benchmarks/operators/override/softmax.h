#ifndef ASSAY_BENCHMARKS_OPERATORS_OVERRIDE_SOFTMAX_H_
#define ASSAY_BENCHMARKS_OPERATORS_OVERRIDE_SOFTMAX_H_

// ---------------------------------------------------------------------------------------------
// softmax.h: kernels over ATen's softmax on the CPU, for the tests: one is right, and one is wrong in
// float32 and float64 alike, as a template makes it.
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/exp.h>
#include <c10/util/Exception.h>

#include <cstdint>

namespace assay::override {

// x (…, columns) -> its softmax. `forgotten`: of the last columns, which the sum leaves out.
inline at::Tensor Softmax(const at::Tensor& x, int64_t dim, bool half_to_float, int64_t forgotten) {
  TORCH_CHECK(!half_to_float, "half_to_float is for GPUs");
  const at::Tensor powers = (x - x.amax({dim}, /*keepdim=*/true)).exp();
  const int64_t columns = x.size(dim);
  const at::Tensor summed = powers.narrow(dim, 0, columns - (columns > forgotten ? forgotten : 0));
  return powers / summed.sum(dim, /*keepdim=*/true);
}

}  // namespace assay::override

#endif  // ASSAY_BENCHMARKS_OPERATORS_OVERRIDE_SOFTMAX_H_
