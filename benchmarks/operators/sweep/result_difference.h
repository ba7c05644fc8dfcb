#ifndef ASSAY_BENCHMARKS_OPERATORS_SWEEP_RESULT_DIFFERENCE_H_
#define ASSAY_BENCHMARKS_OPERATORS_SWEEP_RESULT_DIFFERENCE_H_

// ---------------------------------------------------------------------------------------------
// result_difference.h: what two calls of an operator left, compared: bit by bit, or the one in
// float32 with the one in float64.
//
// Floats may differ by 1e-4 of their spread, and by 1e-5 in the mean square, the suite's limits for
// float32; NaN and infinity must stand in the same places. Integers, booleans and words are equal.
// Complex numbers are compared by their parts, sparse, quantized and oneDNN's tensors as dense ones,
// lists element by element.
//
// Each returns "" where there is no difference, else what differs, in words.
//
// Example:
//   std::string difference = ResultDifference(in_float32, in_float64, &error);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>
#include <ATen/core/stack.h>

#include <string>

namespace assay::sweep {

std::string BitDifference(const torch::jit::Stack& first, const torch::jit::Stack& second);

// `*error` becomes the largest error seen, in standard deviations, where it was smaller.
std::string ResultDifference(const torch::jit::Stack& got, const torch::jit::Stack& want,
                             double* error);
std::string TensorDifference(const at::Tensor& got, const at::Tensor& want, double* error);

// "result 1 is empty", "result 0 holds NaN in 16 of 16 elements", "result 0 holds infinity only":
// what a comparison says nothing of, since any other result of the kind is equal to it. The arguments
// of samples are finite, so that NaN comes of the operator or of a sample outside of its domain.
// `may_lack`: one result that has finite numbers is enough. "" where there is no such thing.
std::string NothingToCompare(const torch::jit::Stack& results, bool may_lack);
// Of a gradient, "" or "holds NaN in 16 of 16 elements".
std::string NothingIn(const at::Tensor& tensor);

}  // namespace assay::sweep

#endif  // ASSAY_BENCHMARKS_OPERATORS_SWEEP_RESULT_DIFFERENCE_H_
