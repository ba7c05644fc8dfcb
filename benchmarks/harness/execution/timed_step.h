#ifndef ASSAY_BENCHMARKS_HARNESS_EXECUTION_TIMED_STEP_H_
#define ASSAY_BENCHMARKS_HARNESS_EXECUTION_TIMED_STEP_H_

// ---------------------------------------------------------------------------------------------
// timed_step.h: one step of a case's program as the sampling engine's work. It has several sets of
// seeded inputs, so that the engine can check that calls really compute.
//
// Calls of a kPure program must not change its state; those of a kResettable one may.
//
// It gives the engine no digest of outputs that may differ between equal calls (repeatability.h).
//
// CallVerified() makes the same calls as Call() and returns their outputs for a comparison.
//
// Not for: the verdict's own calls (executable.h).
//
// Example:
//   auto timed = MakeTimedStep(steps::kForward, c, *executable, at::kCPU, /*input_sets=*/3);
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
  // Returns the verified outputs (Program::BeginVerified()) of a timed call with these inputs;
  // empty where the step has none. The inputs, of the measured workload, are copied into the memory
  // of a set of timed inputs and are consumed; bags, whose number of elements depends on the rows, take
  // that memory's place. `used_before`: that set is called once before it is
  // overwritten, so that a call which remembers its results by tensor returns a wrong one.
  // Afterwards timed calls need a new TimedStep. Lets c10::Error through.
  virtual std::vector<VerifiedOutput> CallVerified(TensorsRef inputs, bool used_before) = 0;
};

// Set 0 of the inputs has the case's seed, like the verified call; set k has the seed + k.
// The executable's program is placed on `device` in the case's dtype; both outlive the result, and
// nobody else sets inputs meanwhile. Errors of FindStep and SeededInputs.
absl::StatusOr<std::unique_ptr<TimedStep>> MakeTimedStep(Step step, const ResolvedCase& c,
                                                         Executable& executable, at::Device device,
                                                         int input_sets);

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_EXECUTION_TIMED_STEP_H_
