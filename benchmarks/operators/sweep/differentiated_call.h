#ifndef ASSAY_BENCHMARKS_OPERATORS_SWEEP_DIFFERENTIATED_CALL_H_
#define ASSAY_BENCHMARKS_OPERATORS_SWEEP_DIFFERENTIATED_CALL_H_

// ---------------------------------------------------------------------------------------------
// differentiated_call.h: an operator called with arguments that are bound to it, forward, or forward
// and backward, each time with the same random numbers.
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

// Everything that a call left, tensors and others. c10::Error as of the operator.
c10::Stack Call(const execution::BoundOperator& bound);

// Call(), with LibTorch's random numbers seeded before.
c10::Stack SeededCall(const execution::BoundOperator& bound);

struct Differentiated {
  c10::Stack results;
  std::vector<at::Tensor> gradients;  // of those asked for; empty: no result depends on them
};

// Forward and, where a result depends on the arguments asked for, backward from seeded numbers: from
// ones many a gradient would be zero. `wanted`: positions among the arguments, and the elements of
// lists of them, that could have gradients.
Differentiated CallAndDifferentiate(const execution::BoundOperator& bound,
                                    const std::vector<size_t>& wanted);

// Which of the arguments that could have gradients have a derivative.
std::vector<size_t> Differentiable(const execution::BoundOperator& bound);

}  // namespace assay::sweep

#endif  // ASSAY_BENCHMARKS_OPERATORS_SWEEP_DIFFERENTIATED_CALL_H_
