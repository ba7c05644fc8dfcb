#include "benchmarks/operators/param/measure.h"

#include <ATen/ops/ones_like.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/sampling/timed_work.h"
#include "benchmarks/operators/param/call_verdict.h"

namespace assay::param {
namespace {

// The passes of one call; each uses what the one before it left.
class Passes {
 public:
  Passes(const BoundCall& call, const sampling::Device& device)
      : call_(call), keeps_results_(device.TimerCount() > 0) {}

  void Forward() {
    // On a GPU the peak of memory is reported. PARAM's peak includes the last call's results, too.
    if (!keeps_results_) TakeOutputs();
    outputs_ = call_.forward();
  }
  // The outputs of the last call forward; what autograd keeps for them is freed. With a graph the
  // outputs are those of its last replay.
  execution::Tensors TakeOutputs() {
    for (at::Tensor& output : outputs_) output = output.detach();
    roots_.clear();
    ones_.clear();
    return std::move(outputs_);
  }

  void Gradients() {
    roots_.clear();
    ones_.clear();
    for (const at::Tensor& output : outputs_) {
      // A result that depends on nothing with gradients is a leaf, which PARAM skips.
      if (!call_.backward && !output.requires_grad()) continue;
      roots_.push_back(output);
      ones_.push_back(at::ones_like(output));
    }
  }

  void Backward() {
    if (call_.backward) {
      call_.backward(ones_);
    } else if (!roots_.empty()) {
      torch::autograd::backward(roots_, ones_);
    }
  }

 private:
  const BoundCall& call_;
  const bool keeps_results_;
  execution::Tensors outputs_, roots_, ones_;
};

// Both passes, recorded.
class RecordedPasses {
 public:
  static absl::StatusOr<RecordedPasses> Record(sampling::Device& device, Passes& passes,
                                               bool backward) {
    RecordedPasses recorded;
    passes.Forward();  // allocations of a first call cannot be recorded
    if (backward) {
      passes.Gradients();
      passes.Backward();
    }
    absl::StatusOr<std::unique_ptr<sampling::Graph>> graph =
        device.Capture([&] { passes.Forward(); });
    if (!graph.ok()) return graph.status();
    recorded.forward_ = *std::move(graph);
    if (!backward) return recorded;
    passes.Gradients();
    graph = device.Capture([&] { passes.Backward(); });
    if (!graph.ok()) return graph.status();
    recorded.backward_ = *std::move(graph);
    return recorded;
  }

  void Forward() { status_.Update(forward_->Launch()); }
  void Backward() { status_.Update(backward_->Launch()); }
  // The status of all replays.
  const absl::Status& status() const { return status_; }

 private:
  std::unique_ptr<sampling::Graph> forward_, backward_;
  absl::Status status_;
};

absl::StatusOr<sampling::PresetResult> MeasureReplays(sampling::Device& device, Passes& passes,
                                                      const MeasureOptions& options,
                                                      bool backward) {
  absl::StatusOr<RecordedPasses> recorded = RecordedPasses::Record(device, passes, backward);
  if (!recorded.ok()) return recorded.status();
  sampling::PresetCalls calls = {.forward = [&] { recorded->Forward(); }};
  if (backward) calls.backward = [&] { recorded->Backward(); };
  absl::StatusOr<sampling::PresetResult> result =
      sampling::MeasurePreset(device, options.preset, calls, options.counts);
  return recorded->status().ok() ? result : recorded->status();
}

class PassWork : public sampling::TimedWork {
 public:
  PassWork(Passes& passes, bool backward) : passes_(passes), backward_(backward) {}

  void Call() override { backward_ ? passes_.Backward() : passes_.Forward(); }
  bool HasPreparation() const override { return backward_; }
  void Prepare() override {
    passes_.Forward();
    passes_.Gradients();
  }

 private:
  Passes& passes_;
  const bool backward_;
};

// The steps of a call, and the work of each.
struct ProfiledPasses {
  ProfiledPasses(const BoundCall& call, const sampling::Device& device, const RangeOptions& given)
      : passes(call, device) {
    options = {.case_name = given.name,
               .steps = {"forward"},
               .warmup_calls = given.warmup,
               .calls = given.calls,
               .cuda = given.cuda};
    if (given.backward && call.differentiable) options.steps.push_back("backward");
    work = [this](std::string_view step) -> absl::StatusOr<sampling::TimedWork*> {
      return &current.emplace(passes, step == "backward");
    };
  }
  ProfiledPasses(const ProfiledPasses&) = delete;

  Passes passes;
  std::optional<PassWork> current;
  profile::ProfileOptions options;
  profile::WorkOf work;
};

// The most bytes that the calls took at a time, on the device and on the host.
double GrowthSince(const sampling::MemoryState& before, const sampling::MemoryState& after) {
  return static_cast<double>(
      std::max<int64_t>(after.host_peak_bytes - before.host_peak_bytes, 0) +
      std::max<int64_t>(after.device_peak_bytes - before.device_live_bytes, 0));
}

absl::StatusOr<costs::CallCost> CostOf(const std::function<void()>& call) {
  return costs::CountCost([&] { return base::CatchTorch("the operator", call); });
}

}  // namespace

absl::StatusOr<MeasuredCall> MeasureCall(sampling::Device& device, const BoundCall& call,
                                         const MeasureOptions& options) {
  Passes passes(call, device);
  const bool backward = options.backward && call.differentiable;
  sampling::PresetCalls calls = {.forward = [&] { passes.Forward(); }};
  if (backward) {
    calls.gradients = [&] { passes.Gradients(); };
    calls.backward = [&] { passes.Backward(); };
  }
  device.ResetPeakMemory();
  const sampling::MemoryState before = device.Memory();
  absl::StatusOr<sampling::PresetResult> result;
  const absl::Status caught = base::CatchTorch("the operator", [&] {
    result = options.graph ? MeasureReplays(device, passes, options, backward)
                           : sampling::MeasurePreset(device, options.preset, calls, options.counts);
  });
  if (!caught.ok()) return caught;
  if (!result.ok()) return result.status();
  MeasuredCall measured = {.times = *std::move(result)};
  if (options.count_cost) {
    absl::StatusOr<costs::CallCost> cost = CostOf(calls.forward);
    if (!cost.ok()) return cost.status();
    measured.forward_cost = *cost;
    if (backward) {
      calls.gradients();
      cost = CostOf(calls.backward);
      if (!cost.ok()) return cost.status();
      measured.backward_cost = *cost;
    }
  }
  if (options.verify) {
    const execution::Tensors timed = passes.TakeOutputs();
    measured.verdict = VerdictOf(call, {.backward = options.backward,
                                        .timed = &timed,
                                        .pass_bytes = GrowthSince(before, device.Memory()),
                                        .memory_bytes = options.memory_bytes});
  }
  return measured;
}

absl::Status CallInRanges(sampling::Device& device, const BoundCall& call,
                          const RangeOptions& options) {
  ProfiledPasses passes(call, device, options);
  return profile::CallInRanges(passes.options, device, passes.work);
}

absl::StatusOr<std::unique_ptr<profile::Profiled>> ProfileCall(sampling::Device& device,
                                                               const BoundCall& call,
                                                               const RangeOptions& options) {
  ProfiledPasses passes(call, device, options);
  return profile::ProfileSteps(passes.options, device, passes.work);
}

}  // namespace assay::param
