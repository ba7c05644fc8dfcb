#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_MEASURED_STEPS_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_MEASURED_STEPS_H_

// ---------------------------------------------------------------------------------------------
// measured_steps.h: makes the steps of a case's program ready to be timed. For each step it gives
// the cost of a call and the limits of the hardware for it.
//
// Not for: timing (measuring.h).
//
// Example:
//   MeasuredSteps steps(c, settings, environment, *executable, *device, at::kCPU);
//   absl::StatusOr<MeasuredStep> forward = steps.For(steps::kForward);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <memory>
#include <optional>
#include <string_view>

#include "absl/status/statusor.h"
#include "benchmarks/harness/costs/call_cost.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/execution/timed_step.h"
#include "benchmarks/harness/programs/program.h"
#include "benchmarks/harness/runner/measuring.h"
#include "benchmarks/harness/runner/settings.h"
#include "benchmarks/harness/sampling/device/device.h"
#include "benchmarks/harness/sampling/timed_work.h"
#include "defs/proto/record.pb.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

class MeasuredSteps {
 public:
  // All must outlive this. The executable's program is placed on `torch_device` in the
  // case's dtype. `as_given`: as in TimedInputs().
  MeasuredSteps(const ResolvedCase& c, const Settings& settings, const Environment& environment,
                execution::Executable& executable, sampling::Device& device,
                at::Device torch_device, execution::TensorsRef as_given = {})
      : case_(c),
        settings_(settings),
        environment_(environment),
        executable_(executable),
        device_(device),
        torch_device_(torch_device),
        as_given_(as_given) {}

  // Valid until another step is requested: only one is kept, since each has its own inputs.
  absl::StatusOr<MeasuredStep> For(std::string_view name);

  // The step that was timed last; null if there is none.
  execution::TimedStep* timed() { return workload_.get(); }
  // Its cost, where that was counted in a timed call.
  const std::optional<costs::CallCost>& timed_cost() const { return timed_cost_; }

 private:
  absl::StatusOr<costs::CallCost> CostOf(const StepSpec& step, sampling::TimedWork& timed);
  absl::StatusOr<costs::CallCost> CostOfForward();
  sampling::HardwareLimits HardwareLimitsOf(const StepSpec& step, const costs::CallCost& cost);
  int InputSets() const;

  const ResolvedCase& case_;
  const Settings& settings_;
  const Environment& environment_;
  execution::Executable& executable_;
  sampling::Device& device_;
  const at::Device torch_device_;
  const execution::TensorsRef as_given_;
  MeasuredStep measured_;
  std::unique_ptr<execution::TimedStep> workload_;
  std::optional<costs::CallCost> timed_cost_;
  std::unique_ptr<sampling::TimedWork> injected_;
};

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_MEASURED_STEPS_H_
