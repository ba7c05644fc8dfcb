#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_EAGER_BASELINE_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_EAGER_BASELINE_H_

// ---------------------------------------------------------------------------------------------
// eager_baseline.h: the plain execution of a program, with which other executions are compared:
// back end eager, LibTorch's own kernels (execution/kernels_over_aten.h), contiguous, no autocast,
// float32 products in float32, in the same dtype. Threads and deterministic algorithms stay as they are: they choose among kernels that are equally right.
//
// Not for: the reference in float64 (numerics/reference.h).
//
// Example:
//   if (!IsPlain(execution)) baseline = PlainOutputs(execution, *program, inputs);
// ---------------------------------------------------------------------------------------------

#include "absl/status/statusor.h"
#include "benchmarks/harness/programs/program.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

// Whether the execution is the plain one. Comparing it with the plain one would compare a run with
// itself.
bool IsPlain(const Execution& execution);

// Whether the case's rules compare with a plain execution (DYNAMO_SAME) and the case's execution is
// another one.
bool RulesNeedPlain(const ResolvedCase& resolved);

// The outputs of the plain execution. An executable that was loaded before sets its inputs anew,
// since the program's layout may have changed. Errors of executable.h.
absl::StatusOr<execution::Tensors> PlainOutputs(const Execution& execution,
                                                execution::Program& program,
                                                const execution::Tensors& inputs);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_EAGER_BASELINE_H_
