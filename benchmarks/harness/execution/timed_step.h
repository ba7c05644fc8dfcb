#ifndef ASSAY_BENCHMARKS_HARNESS_EXECUTION_TIMED_STEP_H_
#define ASSAY_BENCHMARKS_HARNESS_EXECUTION_TIMED_STEP_H_

// ---------------------------------------------------------------------------------------------
// timed_step.h: one step of a case's program as the sampling engine's workload, with further sets
// of seeded inputs, so that the engine can see that calls really compute.
//
// The state that calls must not change is all of it under a PURE program; what a RESETTABLE one
// declares to change, it may.
//
// Not for: outputs that anybody reads (executable.h).
//
// Example:
//   auto timed = MakeTimedStep(Step::kForward, c, *program, at::kCPU, /*input_sets=*/2);
//   sampling::Measure(device, sampling::Mode::kWall, **timed, {});
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/execution/program.h"
#include "benchmarks/harness/sampling/timed_work.h"
#include "defs/suite.pb.h"

namespace assay::execution {

// FailedPrecondition, naming those there are, for a step that the program does not have, and for a
// copy on the CPU, where nothing is copied.
absl::Status CheckStep(Step step, const Program& program, at::Device device);

// Set 0 of the inputs has the case's seed, as what was verified; set k has the seed + k. `program`
// is placed on `device` in the case's dtype, and outlives the result. Errors of CheckStep,
// SeededInputs and MakeExecutable.
absl::StatusOr<std::unique_ptr<sampling::TimedWork>> MakeTimedStep(Step step, const ResolvedCase& c,
                                                                   Program& program,
                                                                   at::Device device,
                                                                   int input_sets);

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_EXECUTION_TIMED_STEP_H_
