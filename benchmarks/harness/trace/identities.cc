#include "benchmarks/harness/trace/identities.h"

#include <algorithm>

namespace assay::trace {

uint64_t Identities::OfTensor(const at::Tensor& tensor) {
  if (!tensor.defined()) return 0;
  const auto found = tensors_.find(tensor.unsafeGetTensorImpl());
  if (found != tensors_.end()) return found->second.id;
  DropFreed();
  const uint64_t id = Next();
  tensors_.emplace(tensor.unsafeGetTensorImpl(),
                   Tensor{.id = id, .object = decltype(Tensor::object)(tensor.getIntrusivePtr())});
  return id;
}

Identities::Storage* Identities::OfStorage(const at::Tensor& tensor) {
  if (!tensor.defined() || !tensor.has_storage()) return nullptr;
  const c10::Storage& storage = tensor.storage();
  const auto found = storages_.find(storage.unsafeGetStorageImpl());
  if (found != storages_.end()) return &found->second;
  DropFreed();
  Storage made = {.id = Next(), .content = std::nullopt, .object = storage.getWeakStorageImpl()};
  return &storages_.emplace(storage.unsafeGetStorageImpl(), std::move(made)).first->second;
}

void Identities::DropFreed() {
  if (held() < limit_) return;
  std::erase_if(tensors_, [](const auto& entry) { return entry.second.object.expired(); });
  std::erase_if(storages_, [](const auto& entry) { return entry.second.object.expired(); });
  limit_ = std::max<size_t>(64, 2 * held());
}

}  // namespace assay::trace
