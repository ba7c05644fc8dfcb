#ifndef ASSAY_BENCHMARKS_OPERATORS_JUDGE_RESULT_DIFFERENCE_H_
#define ASSAY_BENCHMARKS_OPERATORS_JUDGE_RESULT_DIFFERENCE_H_

// ---------------------------------------------------------------------------------------------
// result_difference.h: compares the results of two calls of an operator: bit by bit, or one in its
// own dtype with one in float64.
//
// Floats may differ by the suite's limits for their dtype (defs/tolerances.bzl), for float32 1e-4 of
// their unit and 1e-5 in the mean square; NaN and infinity must stand in the same places, except that
// a number beyond the dtype's largest is infinite. Integers, booleans and words are equal. Complex
// numbers are compared by their parts, sparse, quantized and oneDNN's tensors as dense ones, lists
// element by element.
//
// Each function returns "" if there is no difference, else a text that names it.
//
// Example:
//   Comparison comparison;
//   std::string difference = ResultDifference(in_float32, in_float64, comparison);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>
#include <ATen/core/stack.h>
#include <c10/core/ScalarType.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay::operators {

// What an error is measured in.
enum class Unit {
  kSpread,          // the standard deviation of the float64 result, as the suite's own rule
  kRootMeanSquare,  // of the float64 result: for numbers whose mean is far above their spread, of
                    // which rounding alone may be more than the limits
};

struct Comparison {
  Unit unit = Unit::kSpread;
  // The dtype whose limits count where it is coarser than the result's own: that of an argument.
  std::optional<c10::ScalarType> coarsest = {};
  // Of the limits. Other than 1, which is for gradients of networks, few of which are far above the
  // rest: the largest error is then in units of the largest number.
  double factor = 1;
  double error = 0;  // the largest error that was seen, in units
};

// The dtype of these tensors that has the widest limits; nullopt where none has any.
std::optional<c10::ScalarType> CoarsestOf(const std::vector<at::Tensor>& tensors);

// The suite's limits by dtype, of the rule RELATIVE_TO_STD.
struct DtypeLimits {
  at::ScalarType dtype;
  double rms, largest;
};
// Null: it has none.
const DtypeLimits* LimitsOf(at::ScalarType dtype);

// Beyond it, a number is infinite in this dtype.
double LargestNumber(at::ScalarType dtype);

// The first element whose bits differ, as "[3, 16]", of dense tensors. NaN equals itself.
std::string FirstOtherElement(const at::Tensor& a, const at::Tensor& b);
// "[3, 16]"
std::string ElementText(int64_t element, c10::IntArrayRef sizes);

std::string BitDifference(const torch::jit::Stack& first, const torch::jit::Stack& second);

std::string ResultDifference(const torch::jit::Stack& got, const torch::jit::Stack& want,
                             Comparison& comparison);
std::string TensorDifference(const at::Tensor& got, const at::Tensor& want, Comparison& comparison);

// "result 1 is empty", "result 0 holds NaN in 16 of 16 elements", "result 0 holds infinity only":
// results that cannot show a difference, since any other such result is equal to them. The
// arguments of samples are finite, so a NaN comes from the operator or from a sample outside of its
// domain. `may_lack`: one result with finite numbers is enough. "" if there is no such result.
std::string NothingToCompare(const torch::jit::Stack& results, bool may_lack);
// For a gradient: "" or "holds NaN in 16 of 16 elements".
std::string NothingIn(const at::Tensor& tensor);

}  // namespace assay::operators

#endif  // ASSAY_BENCHMARKS_OPERATORS_JUDGE_RESULT_DIFFERENCE_H_
