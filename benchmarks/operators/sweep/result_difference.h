#ifndef ASSAY_BENCHMARKS_OPERATORS_SWEEP_RESULT_DIFFERENCE_H_
#define ASSAY_BENCHMARKS_OPERATORS_SWEEP_RESULT_DIFFERENCE_H_

// ---------------------------------------------------------------------------------------------
// result_difference.h: compares the results of two calls of an operator: bit by bit, or one in
// float32 with one in float64.
//
// Floats may differ by 1e-4 of their spread, and by 1e-5 in the mean square, the suite's limits for
// float32; NaN and infinity must stand in the same places. Integers, booleans and words are equal.
// Complex numbers are compared by their parts, sparse, quantized and oneDNN's tensors as dense ones,
// lists element by element.
//
// Each function returns "" if there is no difference, else a text that names it.
//
// Example:
//   std::string difference = ResultDifference(in_float32, in_float64, &error);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>
#include <ATen/core/stack.h>

#include <string>

namespace assay::sweep {

std::string BitDifference(const torch::jit::Stack& first, const torch::jit::Stack& second);

// `*error` becomes the largest error seen, in standard deviations, if it was smaller.
std::string ResultDifference(const torch::jit::Stack& got, const torch::jit::Stack& want,
                             double* error);
std::string TensorDifference(const at::Tensor& got, const at::Tensor& want, double* error);

// "result 1 is empty", "result 0 holds NaN in 16 of 16 elements", "result 0 holds infinity only":
// results that cannot show a difference, since any other such result is equal to them. The
// arguments of samples are finite, so a NaN comes from the operator or from a sample outside of its
// domain. `may_lack`: one result with finite numbers is enough. "" if there is no such result.
std::string NothingToCompare(const torch::jit::Stack& results, bool may_lack);
// For a gradient: "" or "holds NaN in 16 of 16 elements".
std::string NothingIn(const at::Tensor& tensor);

}  // namespace assay::sweep

#endif  // ASSAY_BENCHMARKS_OPERATORS_SWEEP_RESULT_DIFFERENCE_H_
