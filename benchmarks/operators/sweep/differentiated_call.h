#ifndef ASSAY_BENCHMARKS_OPERATORS_SWEEP_DIFFERENTIATED_CALL_H_
#define ASSAY_BENCHMARKS_OPERATORS_SWEEP_DIFFERENTIATED_CALL_H_

// ---------------------------------------------------------------------------------------------
// differentiated_call.h: calls an operator with bound arguments, forward, or forward and backward,
// each time with the same random numbers.
//
// Example:
//   const std::vector<size_t> wanted = Differentiable(bound);
//   Differentiated made = CallAndDifferentiate(bound, wanted);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>
#include <ATen/core/stack.h>

#include <cstddef>
#include <vector>

#include "benchmarks/harness/execution/boxed_operator.h"

namespace assay::sweep {

// Everything that a call returns, tensors and other values. c10::Error as of the operator.
c10::Stack Call(const execution::BoundOperator& bound);

// Call(), after seeding LibTorch's random numbers.
c10::Stack SeededCall(const execution::BoundOperator& bound);

struct Differentiated {
  c10::Stack results;
  std::vector<at::Tensor> gradients;  // of the requested ones; empty: no result depends on them
};

// Runs forward and, if a result depends on the requested arguments, backward from seeded numbers:
// from ones, many gradients would be zero. `wanted`: positions among the arguments, and the
// elements of lists of them, that could have gradients.
Differentiated CallAndDifferentiate(const execution::BoundOperator& bound,
                                    const std::vector<size_t>& wanted);

// Which of the arguments that could have gradients have a derivative.
std::vector<size_t> Differentiable(const execution::BoundOperator& bound);

}  // namespace assay::sweep

#endif  // ASSAY_BENCHMARKS_OPERATORS_SWEEP_DIFFERENTIATED_CALL_H_
