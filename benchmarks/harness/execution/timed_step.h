#ifndef ASSAY_BENCHMARKS_HARNESS_EXECUTION_TIMED_STEP_H_
#define ASSAY_BENCHMARKS_HARNESS_EXECUTION_TIMED_STEP_H_

// ---------------------------------------------------------------------------------------------
// timed_step.h: one step of a case's program as the sampling engine's workload, with further sets
// of seeded inputs, so that the engine can see that calls really compute.
//
// The state that calls must not change is all of it under a PURE program; what a RESETTABLE one
// declares to change, it may.
//
// What was timed can be asked for its numbers: CallVerified() makes the calls that Call() makes.
//
// Not for: the verdict's own calls (executable.h).
//
// Example:
//   auto timed = MakeTimedStep(Step::kForward, c, *program, at::kCPU, /*input_sets=*/3);
//   sampling::Measure(device, sampling::Mode::kWall, **timed, {});
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/execution/program.h"
#include "benchmarks/harness/sampling/timed_work.h"
#include "defs/suite.pb.h"

namespace assay::execution {

class TimedStep : public sampling::TimedWork {
 public:
  // What a timed call of these inputs computes, as of Program::BeginVerified(); nothing where the
  // step has no verified outputs. The inputs, of the measured workload, are put where a set of
  // timed inputs lies and are gone afterwards. `used_before`: that set is called first as it is, so
  // that calls which remember what they gave for a tensor give the wrong thing. Later timed calls
  // want a new TimedStep. Lets c10::Error through.
  virtual std::vector<VerifiedOutput> CallVerified(TensorsRef inputs, bool used_before) = 0;
};

// FailedPrecondition, naming those there are, for a step that the program does not have, and for a
// copy on the CPU, where nothing is copied.
absl::Status CheckStep(Step step, const Program& program, at::Device device);

// Set 0 of the inputs has the case's seed, as what was verified; set k has the seed + k. `program`
// is placed on `device` in the case's dtype, and outlives the result. Errors of CheckStep,
// SeededInputs and MakeExecutable.
absl::StatusOr<std::unique_ptr<TimedStep>> MakeTimedStep(Step step, const ResolvedCase& c,
                                                         Program& program, at::Device device,
                                                         int input_sets);

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_EXECUTION_TIMED_STEP_H_
