#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_TIMED_CHECK_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_TIMED_CHECK_H_

// ---------------------------------------------------------------------------------------------
// timed_check.h: checks that the calls that were timed compute what was verified.
//
// After the samples of a step were taken, the timed call is made once more, with inputs of the
// measured batch whose reference is known (truth.h), and its outputs are held to the case's limits:
// a forward pass to the reference's rows; backward to its gradients; an update and a whole training
// step to all that the reference has of its third step, at the verified learning rate. This finds a
// call that does less or other work while it is timed than for the verdict. Other calls come before
// it (execution/timed_step.h), since a first call may do what no later one does.
//
// If those calls gave other inputs the same outputs, to the bit, and the plain program does not,
// then the outputs are remembered ones.
//
// A program that is told to compute what is verified might compute nothing else. So the operators of
// the verified call are counted and compared with those that were counted in a timed one: a step
// that ran none, or less than half of the floating-point operations, is FLAGGED, too. It is less
// than half since dropout, which timed training steps have, chooses other kernels for attention.
//
// A second check, weights_kept: timed training steps have a learning rate of almost nothing, so that
// the weights stay those that were verified. FLAGGED where they have moved by more than kMostDrift
// of their norm; the outcome stays.
//
// Not for: faults that the samples themselves show (sampling/validity.h).
//
// Example:
//   TimedVerdict timed = CheckTimed(c, steps::kForward, *steps.timed(), truth, device, {});
//   if (timed.check.status() == CHECK_FLAGGED) return Ended(timed.outcome, timed.check.detail());
// ---------------------------------------------------------------------------------------------

#include <optional>
#include <string_view>

#include "benchmarks/harness/costs/call_cost.h"
#include "benchmarks/harness/execution/timed_step.h"
#include "benchmarks/harness/programs/program.h"
#include "benchmarks/harness/runner/verdict/truth.h"
#include "defs/case/case_steps.h"
#include "defs/proto/record.pb.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

inline constexpr std::string_view kTimedCheck = "timed_is_verified";
inline constexpr std::string_view kWeightsCheck = "weights_kept";
inline constexpr double kMostDrift = 1e-6;

struct TimedVerdict {
  Check check = {};  // OK, FLAGGED, or NOT_RUN where the step has no verified outputs
  Outcome outcome = PASS;
};

struct TimedCheckOptions {
  bool repeat = true;  // as in execution::VerifiedCalls; costs one or two calls more
  // The cost of a timed call; absent if it was not counted in one.
  std::optional<costs::CallCost> cost = {};
  execution::TensorsRef as_given = {};  // as in execution::TimedInputs
};

TimedVerdict CheckTimed(const ResolvedCase& c, execution::Step step, execution::TimedStep& timed,
                        const Truth& truth, at::Device device, const TimedCheckOptions& options);

// Whether the timed calls have left the weights alone; nothing where no call may change them.
std::optional<Check> CheckWeights(execution::TimedStep& timed);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_TIMED_CHECK_H_
