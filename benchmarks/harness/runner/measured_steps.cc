#include "benchmarks/harness/runner/measured_steps.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/environment/peaks.h"
#include "benchmarks/harness/execution/eager_backend.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/programs/timed_inputs.h"
#include "benchmarks/harness/record/arithmetic_dtype.h"
#include "benchmarks/harness/runner/measure/injected_work.h"
#include "benchmarks/harness/sampling/device/cpu_clock.h"
#include "defs/case/case_steps.h"
#include "defs/case/execution_names.h"

namespace assay::runner {

// The cost of an evaluation is counted in the call that the verdict makes, on eager: a compiled
// program shows no operators. Were it counted in the
// timed call, work left out there would be missing from the count, too, and the check `possible`
// could not see it.
absl::StatusOr<costs::CallCost> MeasuredSteps::CostOfForward() {
  const BenchmarkCase& b = case_.benchmark_case();
  absl::StatusOr<execution::Tensors> inputs =
      execution::TimedInputs(case_.measured(), b, torch_device_, as_given_);
  if (!inputs.ok()) return inputs.status();
  const auto eager = execution::LoadEager(b.execution(), executable_.program());
  const absl::Status set = execution::SetInputsOf(*eager, *std::move(inputs));
  if (!set.ok()) return set;
  execution::Tensors outputs;  // outlive the call, so that they count as written
  return costs::CountCost([&] {
    absl::StatusOr<execution::Tensors> made = execution::OutputsOf(*eager);
    if (!made.ok()) return made.status();
    outputs = *std::move(made);
    return absl::OkStatus();
  });
}

// The cost of any other step is counted in the timed call. What is missing there is found by the
// check of the timed call, which counts again (verdict/timed_check.h).
absl::StatusOr<costs::CallCost> MeasuredSteps::CostOf(const StepSpec& step,
                                                      sampling::TimedWork& timed) {
  costs::CallCost cost;
  timed_cost_.reset();
  if (step.copies() || !executable_.program().RunsEagerly()) return cost;
  if (step.name() == steps::kForward && !executable_.program().Differentiates())
    return CostOfForward();
  for (int call = 0; call < (step.makes_state() ? 2 : 1); ++call) {
    if (timed.HasPreparation()) {
      const absl::Status prepared =
          base::CatchTorch(absl::StrCat("preparing step ", step.name()), [&] { timed.Prepare(); });
      if (!prepared.ok()) return prepared;
    }
    const absl::StatusOr<costs::CallCost> counted = costs::CountCost([&] {
      return base::CatchTorch(absl::StrCat("running step ", step.name()), [&] { timed.Call(); });
    });
    if (!counted.ok()) return counted.status();
    cost = *counted;
  }
  timed_cost_ = cost;
  return cost;
}

sampling::HardwareLimits MeasuredSteps::HardwareLimitsOf(const StepSpec& step,
                                                         const costs::CallCost& cost) {
  const Environment& e = environment_;
  const BenchmarkCase& b = case_.benchmark_case();
  Dtype dtype = record::ArithmeticDtype(b);
  // A CPU multiplies what is rounded to bf16 as fast as bf16.
  if (dtype == FP32 && RoundingOf(b.execution(), settings_.device) == MEDIUM) dtype = BF16;
  const environment::Peaks peaks =
      settings_.device == CUDA
          ? environment::GpuPeaks(dtype, e.gpu_name(), e.tf32_matmul() || e.tf32_cudnn())
          : environment::CpuPeaks(dtype, e.threads(), sampling::CoreMhz(),
                                  environment::HostVectorUnits());
  sampling::HardwareLimits hardware_limits = {.peak_flops_per_s = peaks.flops_per_s,
                                              .peak_bytes_per_s = peaks.bytes_per_s};
  if (step.copies() || step.name() == steps::kOptimizer) return hardware_limits;
  hardware_limits.bytes_per_call =
      static_cast<double>(models::BytesReadAtLeast(executable_.program().State()));
  hardware_limits.flops_per_call = cost.figures.flops_per_call();
  return hardware_limits;
}

// How many sets of inputs are made. Three, so that outputs are seen to follow inputs and two sets
// are new to calls that remember results. Mode graph reads all sets in turn: there the sets exceed
// the cache twice over, up to 64 sets. With --randomize-inputs there are as many as fit into 64
// MiB, 4 at least and 64 at most.
int MeasuredSteps::InputSets() const {
  bool graph = false;
  for (const Method& method : settings_.methods) {
    const auto* mode = std::get_if<sampling::Mode>(&method);
    graph |= mode != nullptr && *mode == sampling::Mode::kGraph;
  }
  constexpr int kSets = 3;
  if (!graph && !settings_.randomize_inputs) return kSets;
  double bytes = 0;
  for (const TensorSpec& spec : case_.measured().inputs()) {
    double elements = 2;  // bytes of the smallest element
    for (const int64_t size : spec.shape()) elements *= static_cast<double>(size);
    bytes += elements;
  }
  bytes = std::max(bytes, 1.0);
  const double fresh = settings_.randomize_inputs ? std::max((64 << 20) / bytes, 4.0) : kSets;
  const double beyond_cache =
      graph ? 2 * static_cast<double>(device_.Facts().l2_bytes) / bytes + 1 : kSets;
  return static_cast<int>(std::min(std::max(fresh, beyond_cache), 64.0));
}

absl::StatusOr<MeasuredStep> MeasuredSteps::For(std::string_view name) {
  if (workload_ == nullptr || measured_.spec.name() != name) {
    injected_.reset();
    workload_.reset();  // freed before the next one needs the memory
    absl::StatusOr<StepSpec> step = FindStep(case_, name, settings_.device);
    if (!step.ok()) return step.status();
    absl::StatusOr<std::unique_ptr<execution::TimedStep>> made =
        execution::MakeTimedStep(name, case_, executable_, torch_device_, InputSets(), as_given_);
    if (!made.ok()) return made.status();
    const absl::StatusOr<costs::CallCost> cost = CostOf(*step, **made);
    if (!cost.ok()) return cost.status();
    measured_ = {.spec = *step, .hardware_limits = HardwareLimitsOf(*step, *cost), .cost = *cost};
    workload_ = *std::move(made);
    if (settings_.injected_share > 0) {
      injected_ = std::make_unique<InjectedWork>(device_, *workload_, settings_.injected_share);
    }
  }
  measured_.workload = injected_ != nullptr ? injected_.get() : workload_.get();
  return measured_;
}

}  // namespace assay::runner
