#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_SUBJECTS_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_SUBJECTS_H_

// ---------------------------------------------------------------------------------------------
// subjects.h: what is timed in each phase of a case, and what hardware could do with it at best.
//
// Not for: timing (measuring.h).
//
// Example:
//   Subjects subjects(c, settings, environment, *model, *device, at::kCPU);
//   absl::StatusOr<Subject> forward = subjects.For(execution::Phase::kForward);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "benchmarks/harness/execution/phases.h"
#include "benchmarks/harness/runner/measuring.h"
#include "benchmarks/harness/runner/settings.h"
#include "benchmarks/harness/sampling/device/device.h"
#include "benchmarks/harness/sampling/workload.h"
#include "defs/record.pb.h"
#include "defs/suite.pb.h"
#include "models/model.h"

namespace assay::runner {

class Subjects {
 public:
  // All must outlive this. `model` is placed on `torch_device` in the case's dtype.
  Subjects(const ResolvedCase& c, const Settings& settings, const Environment& environment,
           models::Model& model, sampling::Device& device, at::Device torch_device)
      : case_(c),
        settings_(settings),
        environment_(environment),
        model_(model),
        device_(device),
        torch_device_(torch_device) {}

  // Valid until another phase is asked for: only one is kept, since each has its own inputs.
  absl::StatusOr<Subject> For(execution::Phase phase);

 private:
  absl::StatusOr<double> FlopsPerCall();
  sampling::Physics PhysicsOfForward() const;
  int InputSets() const;

  const ResolvedCase& case_;
  const Settings& settings_;
  const Environment& environment_;
  models::Model& model_;
  sampling::Device& device_;
  const at::Device torch_device_;
  std::optional<double> flops_per_call_;
  std::optional<execution::Phase> phase_;
  std::unique_ptr<sampling::Workload> workload_;
  std::unique_ptr<sampling::Workload> injected_;
};

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_SUBJECTS_H_
