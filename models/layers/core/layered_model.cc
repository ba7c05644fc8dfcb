#include "models/layers/core/layered_model.h"

#include <c10/core/TensorImpl.h>

#include <map>
#include <utility>

#include "absl/status/statusor.h"

namespace assay::models {

absl::Status LayeredModel::Lower(const Lowering& lowering) {
  const absl::StatusOr<int> changed = LowerLayers(lowering);
  if (!changed.ok()) return changed.status();
  return *changed > 0 ? absl::OkStatus() : Model::Lower(lowering);
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
