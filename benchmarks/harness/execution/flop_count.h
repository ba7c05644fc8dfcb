#ifndef ASSAY_BENCHMARKS_HARNESS_EXECUTION_FLOP_COUNT_H_
#define ASSAY_BENCHMARKS_HARNESS_EXECUTION_FLOP_COUNT_H_

// ---------------------------------------------------------------------------------------------
// flop_count.h: how many floating-point operations one call needs, from the shapes that its
// operators really see.
//
// Counts what torch.utils.flop_counter counts: convolutions, matrix products and attention, two
// operations for each multiply-add. Elementwise work, norms and pooling are not counted. A count
// says what the arithmetic needs, whatever algorithm a kernel uses.
//
// Not for: timed calls; counting slows each operator down.
//
// Example:
//   absl::StatusOr<double> flops = CountFlops(*executable, Step::kForward);      // resnet18, one image: 3.628e9
// ---------------------------------------------------------------------------------------------

#include "absl/status/statusor.h"
#include "benchmarks/harness/execution/executable.h"

namespace assay::execution {

// Calls the step once on this thread. 0 for a program without any counted operator.
absl::StatusOr<double> CountFlops(Executable& executable, Step step);

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_EXECUTION_FLOP_COUNT_H_
