#ifndef ASSAY_BENCHMARKS_OPERATORS_KERNEL_GRADIENTS_H_
#define ASSAY_BENCHMARKS_OPERATORS_KERNEL_GRADIENTS_H_

// ---------------------------------------------------------------------------------------------
// gradients.h: the gradients of a kernel's inputs against those of the truth in float64, for seeded
// gradients of its results, as the sweep's (judge/differentiated_call.h).
//
// A kernel has gradients if it is registered for Autograd, as one that is a torch::autograd::Function is,
// or for every key, so that ATen's operators in it have theirs. Each element may be off by the limits of
// its dtype, or by twice what ATen's own gradient is.
//
// Both backward passes run in copies of this process (isolated_call.h): LibTorch has no backward pass in
// the copy of a process that has had one.
//
// Example:
//   GradientEnd end = CompareGradients("mine::softmax", call, {.threads = 1});
// ---------------------------------------------------------------------------------------------

#include <string>

#include "benchmarks/operators/kernel/element_check.h"
#include "benchmarks/operators/kernel/isolated_call.h"
#include "benchmarks/operators/kernel/sized_call.h"

namespace assay::kernel {

struct GradientEnd {
  bool asked = true;           // false: ATen's own kernel has no derivative
  std::string note = {};       // the kernel has none, and how it gets one
  Difference difference = {};  // also a fault of the backward pass, such as "crashed"
};

// `name`: of the candidate's operator, which takes the call.
GradientEnd CompareGradients(const std::string& name, const SizedCall& call,
                             const IsolatedOptions& options);

}  // namespace assay::kernel

#endif  // ASSAY_BENCHMARKS_OPERATORS_KERNEL_GRADIENTS_H_
