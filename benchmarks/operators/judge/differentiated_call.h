#ifndef ASSAY_BENCHMARKS_OPERATORS_JUDGE_DIFFERENTIATED_CALL_H_
#define ASSAY_BENCHMARKS_OPERATORS_JUDGE_DIFFERENTIATED_CALL_H_

// ---------------------------------------------------------------------------------------------
// differentiated_call.h: makes a call, forward, or forward and backward, each time with the same
// random numbers.
//
// Example:
//   const Differentiated made = DifferentiateAll(call);
//   const Differentiated exact = CallAndDifferentiate(in_float64, made.wanted);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>
#include <ATen/core/stack.h>

#include <cstddef>
#include <vector>

#include "benchmarks/operators/judge/callable.h"

namespace assay::operators {

// Everything that a call returns, tensors and other values, after LibTorch's random numbers were
// seeded. c10::Error as of the operator.
c10::Stack SeededCall(const Callable& call);

struct Differentiated {
  c10::Stack results;
  std::vector<size_t> wanted;         // the arguments that were requested
  std::vector<at::Tensor> gradients;  // theirs; empty: no result depends on them
};

// Runs forward and, if a result depends on the requested arguments or the weights, backward from
// seeded numbers: from ones, many gradients would be zero. `wanted`: positions among the arguments,
// and the elements of lists of them, that could have gradients. The weights' gradients follow, in
// their order; those that they had before are put back.
Differentiated CallAndDifferentiate(const Callable& call, const std::vector<size_t>& wanted);

// The same for all arguments that have a derivative.
Differentiated DifferentiateAll(const Callable& call);

}  // namespace assay::operators

#endif  // ASSAY_BENCHMARKS_OPERATORS_JUDGE_DIFFERENTIATED_CALL_H_
