#include "benchmarks/operators/param/measure.h"

#include <ATen/ops/ones_like.h>
#include <torch/csrc/autograd/autograd.h>

#include <functional>
#include <utility>

#include "benchmarks/harness/base/torch_status.h"

namespace assay::param {
namespace {

absl::StatusOr<execution::CallCost> CostOf(const std::function<void()>& call) {
  return execution::CountCost([&] { return base::CatchTorch("the operator", call); });
}

}  // namespace

absl::StatusOr<MeasuredCall> MeasureCall(sampling::Device& device, const BoundCall& call,
                                         const MeasureOptions& options) {
  execution::Tensors outputs, roots, ones;
  sampling::PresetCalls calls = {.forward = [&] { outputs = call.forward(); }};
  if (options.backward && call.differentiable) {
    calls.gradients = [&] {
      roots.clear();
      ones.clear();
      for (const at::Tensor& output : outputs) {
        // A result that depends on nothing that asks for gradients is a leaf, which PARAM passes
        // over.
        if (!call.backward && !output.requires_grad()) continue;
        roots.push_back(output);
        ones.push_back(at::ones_like(output));
      }
    };
    calls.backward = [&] {
      if (call.backward) {
        call.backward(ones);
      } else if (!roots.empty()) {
        torch::autograd::backward(roots, ones);
      }
    };
  }
  absl::StatusOr<sampling::PresetResult> result;
  const absl::Status caught = base::CatchTorch("the operator", [&] {
    result = sampling::MeasurePreset(device, options.preset, calls, options.counts);
  });
  if (!caught.ok()) return caught;
  if (!result.ok()) return result.status();
  MeasuredCall measured = {.times = *std::move(result)};
  if (!options.count_cost) return measured;
  absl::StatusOr<execution::CallCost> cost = CostOf(calls.forward);
  if (!cost.ok()) return cost.status();
  measured.forward_cost = *cost;
  if (!calls.backward) return measured;
  calls.gradients();
  cost = CostOf(calls.backward);
  if (!cost.ok()) return cost.status();
  measured.backward_cost = *cost;
  return measured;
}

}  // namespace assay::param
