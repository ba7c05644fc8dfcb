#include "benchmarks/harness/runner/subjects.h"

#include <algorithm>
#include <utility>

#include "benchmarks/harness/environment/peaks.h"
#include "benchmarks/harness/execution/flop_count.h"
#include "benchmarks/harness/execution/seeded_executable.h"
#include "benchmarks/harness/runner/injected_workload.h"
#include "benchmarks/harness/sampling/device/cpu_clock.h"

namespace assay::runner {

absl::StatusOr<double> Subjects::FlopsPerCall() {
  if (flops_per_call_) return *flops_per_call_;
  // Counted on the few rows that are verified: every operator that is counted works row by row.
  const auto few_rows =
      execution::PrepareSeeded(case_.benchmark_case(), case_.verified(), model_, torch_device_);
  if (!few_rows.ok()) return few_rows.status();
  const absl::StatusOr<double> flops = execution::CountFlops(**few_rows);
  if (!flops.ok()) return flops.status();
  const double rows = static_cast<double>(case_.measured().batch());
  flops_per_call_ = *flops * rows / static_cast<double>(case_.verified().batch());
  return *flops_per_call_;
}

sampling::Physics Subjects::PhysicsOfForward() const {
  const Environment& e = environment_;
  const Dtype dtype = case_.benchmark_case().dtype();
  const environment::Peaks peaks =
      torch_device_.is_cuda()
          ? environment::GpuPeaks(dtype, e.gpu_name(), e.tf32_matmul() || e.tf32_cudnn())
          : environment::CpuPeaks(dtype, e.threads(), sampling::CoreMhz(),
                                  environment::HostVectorUnits());
  double weights = 0;
  for (const models::NamedTensor& entry : model_.State())
    weights += static_cast<double>(entry.tensor.nbytes());
  return {.bytes_per_call = weights,
          .peak_flops_per_s = peaks.flops_per_s,
          .peak_bytes_per_s = peaks.bytes_per_s};
}

// Two, so that outputs are seen to follow inputs. Mode graph reads all of them in turn: there they
// are as many as exceed the cache twice over, within reason.
int Subjects::InputSets() const {
  bool graph = false;
  for (const Way& way : settings_.ways) {
    const auto* mode = std::get_if<sampling::Mode>(&way);
    graph |= mode != nullptr && *mode == sampling::Mode::kGraph;
  }
  if (!graph) return 2;
  double bytes = 0;
  for (const TensorSpec& spec : case_.measured().inputs()) {
    double elements = 2;  // bytes of the smallest element
    for (const int64_t size : spec.shape()) elements *= static_cast<double>(size);
    bytes += elements;
  }
  const double wanted = 2 * static_cast<double>(device_.Facts().l2_bytes) / std::max(bytes, 1.0);
  return static_cast<int>(std::clamp(wanted + 1, 2.0, 64.0));
}

absl::StatusOr<Subject> Subjects::For(execution::Phase phase) {
  Subject subject;
  if (phase == execution::Phase::kForward) {
    const absl::StatusOr<double> flops = FlopsPerCall();
    if (!flops.ok()) return flops.status();
    subject.physics = PhysicsOfForward();
    subject.physics.flops_per_call = *flops;
  }
  if (phase_ != phase) {
    injected_.reset();
    workload_.reset();  // before the next one takes its memory
    absl::StatusOr<std::unique_ptr<sampling::Workload>> made =
        execution::MakePhase(phase, case_, model_, torch_device_, InputSets());
    if (!made.ok()) return made.status();
    workload_ = *std::move(made);
    phase_ = phase;
    if (settings_.injected_share > 0) {
      injected_ = std::make_unique<InjectedWorkload>(device_, *workload_, settings_.injected_share);
    }
  }
  subject.workload = injected_ != nullptr ? injected_.get() : workload_.get();
  return subject;
}

}  // namespace assay::runner
