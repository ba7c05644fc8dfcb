#ifndef ASSAY_BENCHMARKS_OPERATORS_KERNEL_ELEMENT_CHECK_H_
#define ASSAY_BENCHMARKS_OPERATORS_KERNEL_ELEMENT_CHECK_H_

// ---------------------------------------------------------------------------------------------
// element_check.h: holds a result against the truth in float64 and names the element that is wrong.
//
// NaN and infinity must stand in the truth's places; a number beyond the dtype's largest is infinite.
// For unusual values the error model says nothing: there a result may also be as far from the truth
// as twice ATen's own result in the same dtype is, and an element where ATen's is not finite and the
// truth is, or the other way round, is free.
//
// Example:
//   Difference d = CompareElements(result, truth, limit, /*aten=*/nullptr);
//   if (!d.kind.empty()) Print(d.text);   // "result [3, 16] is 0.0012, float64 gives 0.0009"
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

#include "benchmarks/operators/kernel/sized_call.h"

namespace assay::kernel {

// With fewer elements, their spread and the root mean square of their errors say nothing.
inline constexpr int64_t kFewestElements = 32;

struct Difference {
  std::string kind = {};  // "differs", "unwritten", "another shape", "another dtype"; empty: none
  std::string text = {};
  double share = 0;  // the largest error as a share of its limit
  double
      absolute = 0,
      relative =
          0;  // the largest errors; relative: to |truth| + 1e-8; infinity where one of both alone is finite
};

// `got` and `truth`: strided CPU tensors; the truth's floats are float64. `aten`: null, or of the same
// shape. `poison`: the byte that `got` was filled with before the call.
Difference CompareElements(const at::Tensor& got, const at::Tensor& truth, at::ScalarType dtype,
                           const OutputLimit& limit, const at::Tensor* aten, uint8_t poison);

}  // namespace assay::kernel

#endif  // ASSAY_BENCHMARKS_OPERATORS_KERNEL_ELEMENT_CHECK_H_
