#include "benchmarks/operators/param/measure.h"

#include <ATen/ops/ones_like.h>
#include <torch/csrc/autograd/autograd.h>

#include "benchmarks/harness/base/torch_status.h"

namespace assay::param {

absl::StatusOr<sampling::PresetResult> MeasureCall(sampling::Device& device, const BoundCall& call,
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
  return caught.ok() ? result : caught;
}

}  // namespace assay::param
