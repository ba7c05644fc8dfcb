#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_TIMED_CHECK_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_TIMED_CHECK_H_

// ---------------------------------------------------------------------------------------------
// timed_check.h: checks that the calls that were timed compute what was verified.
//
// After the samples of a step were taken, the timed call is made once more, with inputs of the
// measured batch whose reference is known (truth.h), and its outputs are held to the case's limits:
// a forward pass to the reference's rows; backward to its gradients; an update and a whole training
// step to the parameters after one step at the verified learning rate. This finds a call that does
// less or other work while it is timed than for the verdict.
//
// Not for: faults that the samples themselves show (sampling/validity.h).
//
// Example:
//   TimedVerdict timed = CheckTimed(c, steps::kForward, *steps.timed(), truth, device, true);
//   if (timed.check.status() == CHECK_FLAGGED) return Ended(timed.outcome, timed.check.detail());
// ---------------------------------------------------------------------------------------------

#include <string_view>

#include "benchmarks/harness/execution/timed_step.h"
#include "benchmarks/harness/runner/verdict/truth.h"
#include "defs/case_steps.h"
#include "defs/record.pb.h"
#include "defs/suite.pb.h"

namespace assay::runner {

inline constexpr std::string_view kTimedCheck = "timed_is_verified";

struct TimedVerdict {
  Check check = {};  // OK, FLAGGED, or NOT_RUN where the step has no verified outputs
  Outcome outcome = PASS;
};

// `used_before`: as in TimedStep::CallVerified(); costs one more call.
TimedVerdict CheckTimed(const ResolvedCase& c, execution::Step step, execution::TimedStep& timed,
                        const Truth& truth, at::Device device, bool used_before);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_TIMED_CHECK_H_
