#ifndef ASSAY_BENCHMARKS_HARNESS_COSTS_FLOP_COUNT_H_
#define ASSAY_BENCHMARKS_HARNESS_COSTS_FLOP_COUNT_H_

// ---------------------------------------------------------------------------------------------
// flop_count.h: counts the floating-point operations that one call needs, from the shapes that its
// operators really see.
//
// Counts what torch.utils.flop_counter counts: convolutions, matrix products and attention, and the
// products of their backward passes; two operations for each multiply-add. Elementwise work, norms
// and pooling are not counted, and a mask or a causal pattern saves nothing. The count does not
// depend on the algorithm of a kernel. It differs from flop_counter where that gives a wrong
// number:
//
//   matrix times vector, dot product     flop_counter 0; here counted
//   attention fused for the CPU          flop_counter 0; here as the other fused attentions
//   weight gradient of a convolution     flop_counter lets each group read the channels of all
//   with groups                          others; here a group reads its own
//   LSTM fused for the CPU (oneDNN)      flop_counter 0; here as the matrix products of each step
//
// "Unknown" (no number, never a smaller one) where an operator computes products that are not
// counted: recurrent kernels of cuDNN, FFT, factorisations, quantised and sparse products, and all
// operators that are not ATen's own. For an operator that only calls others, those are counted:
// einsum and a GRU's cell are made of matrix products.
//
// Sees operators, so count the eager call: a compiled program or a replayed graph shows none.
// Count at the shapes that are measured, in one real call: outside of Python, LibTorch has no kernels
// of convolution, norms, embedding and attention for meta tensors, so no model can be called on them.
//
// Not for: timed calls; counting slows each operator down.
//
// Example:
//   absl::StatusOr<std::optional<FlopCount>> flops = CountFlops(*executable, steps::kForward);
//   if (flops.ok() && *flops) Print((*flops)->all);              // resnet18, one image: 3.628e9
// ---------------------------------------------------------------------------------------------

#include <optional>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/costs/operator_flops.h"
#include "benchmarks/harness/execution/executable.h"

namespace assay::costs {

// Runs `call` once on this thread and counts the operators of this thread and of autograd's threads
// on its behalf. Nothing where the number is unknown; 0 for a call without products. Errors: those
// of `call`.
absl::StatusOr<std::optional<FlopCount>> CountFlops(absl::FunctionRef<absl::Status()> call);

// The same for a step of an executable, without its preparation.
absl::StatusOr<std::optional<FlopCount>> CountFlops(execution::Executable& executable,
                                                    execution::Step step);

}  // namespace assay::costs

#endif  // ASSAY_BENCHMARKS_HARNESS_COSTS_FLOP_COUNT_H_
