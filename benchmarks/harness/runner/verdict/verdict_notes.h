#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_VERDICT_NOTES_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_VERDICT_NOTES_H_

// ---------------------------------------------------------------------------------------------
// verdict_notes.h: what a verdict says besides its comparison, as NOTED checks.
//
// Example:
//   verdict = WithInputNotes(WithKernels(std::move(verdict)), c.measured(), as_given);
// ---------------------------------------------------------------------------------------------

#include "benchmarks/harness/programs/program.h"
#include "defs/proto/record.pb.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

// Says that kernels run which LibTorch does not have.
Verdict WithKernels(Verdict verdict);

// Says what the inputs mean for the numbers: those that a call writes to, and those of `as_given`
// that are timed as they were given (undefined: drawn from a seed).
Verdict WithInputNotes(Verdict verdict, const Workload& measured, execution::TensorsRef as_given);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_VERDICT_NOTES_H_
