#include "models/layers/core/layered_model.h"

#include <ATen/Context.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/QEngine.h>
#include <c10/core/TensorImpl.h>

#include <map>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "defs/case/lowerings.h"

namespace assay::models {

absl::Status LayeredModel::Lower(const Lowering& lowering) {
  const lowerings::Row* const row = lowerings::Find(lowering.name);
  if (row != nullptr && row->calibrates) {
    if (absl::Status calibrated = Calibrate(lowering); !calibrated.ok()) return calibrated;
  }
  const absl::StatusOr<int> changed = LowerLayers(lowering);
  if (!changed.ok()) return changed.status();
  return *changed > 0 ? absl::OkStatus() : Model::Lower(lowering);
}

// Lets the layers watch one call in float64.
absl::Status LayeredModel::Calibrate(const Lowering& lowering) {
  if (!TakesIntegers()) {
    return absl::UnimplementedError("the model has parts that take no integers from its layers");
  }
  if (lowering.calibration == nullptr)
    return absl::FailedPreconditionError("no inputs were given to calibrate by");
  if (!State().front().tensor.is_cpu())
    return absl::FailedPreconditionError("its kernels are for the CPU");
  const at::QEngine engine = at::globalContext().qEngine();
  if (engine != at::QEngine::X86 && engine != at::QEngine::FBGEMM) {
    return absl::UnimplementedError(
        absl::StrCat("LibTorch multiplies integers by the engine ", c10::toString(engine),
                     " here, which may round otherwise than X86 and FBGEMM; run it on an x86 CPU"));
  }
  if (lowering.judged != nullptr) lowering.judged->engine = c10::toString(engine);
  Lowering watching = lowering;
  watching.watches = true;
  if (const absl::StatusOr<int> ready = LowerLayers(watching); !ready.ok()) return ready.status();
  std::vector<at::Tensor> inputs;
  for (const at::Tensor& input : *lowering.calibration) inputs.push_back(input.to(at::kDouble));
  To(at::kCPU, at::kDouble);
  {
    const c10::InferenceMode no_autograd;
    Forward(inputs);
  }
  To(at::kCPU, at::kFloat);  // back to the bit
  return absl::OkStatus();
}

std::vector<NamedTensor> LayeredModel::State() {
  std::vector<NamedTensor> state;
  AppendState("", state);
  // A layer may name a tensor of its children, whose names come after its own: then the alias is
  // the first name, and the tensor is filled and trained under it.
  std::map<const c10::TensorImpl*, NamedTensor*> first;
  for (NamedTensor& entry : state) {
    const auto [found, fresh] = first.insert({entry.tensor.unsafeGetTensorImpl(), &entry});
    NamedTensor& earlier = *found->second;
    if (fresh || !earlier.alias) continue;
    std::swap(earlier.init, entry.init);
    std::swap(earlier.trainable, entry.trainable);
    std::swap(earlier.given, entry.given);
    std::swap(earlier.alias, entry.alias);
  }
  return state;
}

}  // namespace assay::models
