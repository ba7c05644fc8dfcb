#ifndef ASSAY_BENCHMARKS_OPERATORS_KERNEL_TRUTH_H_
#define ASSAY_BENCHMARKS_OPERATORS_KERNEL_TRUTH_H_

// ---------------------------------------------------------------------------------------------
// truth.h: ATen's own results of a call, in float64 and in the dtype, and a kernel's results held
// against them.
//
// Example:
//   absl::StatusOr<Truth> truth = TruthOf(call);
//   Difference d = CompareResults(call, results, *truth, /*usual=*/true);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/operators/kernel/element_check.h"
#include "benchmarks/operators/kernel/sized_call.h"

namespace assay::kernel {

struct Truth {
  std::vector<at::Tensor> exact, aten;
  // For outputs with few elements, whose own spread is chance: the root mean square of what the operator
  // makes of the inputs' absolute values, such as the sum of |a b| of a product's terms. Errors grow with
  // that. 0 for others.
  std::vector<double> least_units = {};
};

// LibTorch's own kernels compute the row's operator. Fails where it does not take the call.
absl::StatusOr<Truth> TruthOf(const SizedCall& call);

// The first output that differs, or the largest share of a limit. `usual`: the inputs hold what the
// row's distribution gives, so the error model of the row holds; else element_check.h says what may be.
Difference CompareResults(const SizedCall& call, const std::vector<at::Tensor>& results,
                          const Truth& truth, bool usual);

}  // namespace assay::kernel

#endif  // ASSAY_BENCHMARKS_OPERATORS_KERNEL_TRUTH_H_
