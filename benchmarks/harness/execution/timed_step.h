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
// CallVerified() makes the same calls as Call() and returns their outputs for a comparison. The
// first call after BeginVerified() proves nothing about those after it, which are the timed ones, so
// several calls follow one BeginVerified(), and the last one's outputs are returned:
//
//   as timed          other inputs, then the known ones, in the state that the timed calls have left
//                     (VerifiesAsTimed: forward passes, operators, prefill)
//   no state is made  begun with the known inputs; a call of other ones, then one of the known ones, before
//                     which buffers get the values that they began with
//                     (forward and backward passes of training, decode, generate)
//   state is made     begun with the known inputs, and three calls of them, of which the third has
//                     its own reference (optimizer, train_step)
//
// Not for: the verdict's own calls (executable.h).
//
// Example:
//   auto timed = MakeTimedStep(steps::kForward, c, *executable, at::kCPU, /*input_sets=*/3);
//   sampling::Measure(device, sampling::Mode::kWall, **timed, {});
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/programs/program.h"
#include "benchmarks/harness/sampling/timed_work.h"
#include "defs/proto/suite.pb.h"

namespace assay::execution {

// How CallVerified() calls.
struct VerifiedCalls {
  // Whether calls precede the one that is verified, as above; those of other inputs in the same
  // memory, so that a call which remembers its results by tensor returns a wrong one.
  bool repeat = true;
  // If set, gets the verified call, and makes it.
  std::function<void(const std::function<void()>& call)> around = {};
};

struct VerifiedResult {
  std::vector<VerifiedOutput> outputs = {};
  // Whether the call of other inputs gave the same outputs, to the bit: they may be remembered.
  bool as_of_others = false;
};

class TimedStep : public sampling::TimedWork {
 public:
  // Returns the verified outputs (Program::Verified()) of a timed call with these inputs; empty
  // where the step has none. The inputs, of the measured workload, are copied into the memory of a
  // set of timed inputs and are consumed; bags, whose number of elements depends on the rows, take
  // that memory's place. Afterwards timed calls need a new TimedStep. Lets c10::Error through.
  virtual VerifiedResult CallVerified(TensorsRef inputs, const VerifiedCalls& calls) = 0;

  // The program whose step is called; null for a copy.
  virtual Program* CalledProgram() { return nullptr; }
};

// The sets of inputs are those of TimedInputSets(): one where `as_given` has all inputs.
// The executable's program is placed on `device` in the case's dtype; both outlive the result, and
// nobody else sets inputs meanwhile. Errors of FindStep and TimedInputSets.
absl::StatusOr<std::unique_ptr<TimedStep>> MakeTimedStep(Step step, const ResolvedCase& c,
                                                         Executable& executable, at::Device device,
                                                         int input_sets, TensorsRef as_given = {});

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_EXECUTION_TIMED_STEP_H_
