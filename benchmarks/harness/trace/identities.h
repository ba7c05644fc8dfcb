#ifndef ASSAY_BENCHMARKS_HARNESS_TRACE_IDENTITIES_H_
#define ASSAY_BENCHMARKS_HARNESS_TRACE_IDENTITIES_H_

// ---------------------------------------------------------------------------------------------
// identities.h: numbers for the tensors and storages of a running program.
//
// A number belongs to one object. LibTorch's ExecutionTraceObserver takes the address as the object,
// so a temporary gets the number of one that was freed before it.
//
// A weak pointer to each object keeps its address from being used again, and lets its data be freed.
// Pointers to freed objects are dropped whenever their number has doubled: memory grows with the
// objects that live at the same time, not with all that ever lived.
//
// Not for: threads. The caller holds a lock.
//
// Example:
//   Identities ids;
//   const uint64_t tensor = ids.OfTensor(t);          // 1
//   const uint64_t storage = ids.OfStorage(t)->id;    // 2
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

namespace assay::trace {

class Identities {
 public:
  struct Storage {
    uint64_t id = 0;
    // A fingerprint of the content that the last recorded operator left; nullopt: none has had it yet.
    std::optional<uint64_t> content;
    c10::weak_intrusive_ptr<c10::StorageImpl> object;
  };

  // A number that nothing else has, for something that is no tensor.
  uint64_t Next() { return ++last_; }

  // 0 for an undefined tensor.
  uint64_t OfTensor(const at::Tensor& tensor);

  // nullptr for a tensor without storage, such as a sparse one. Valid until the next call.
  Storage* OfStorage(const at::Tensor& tensor);

  // The number of tensors and storages; freed ones count until they are dropped.
  size_t held() const { return tensors_.size() + storages_.size(); }

 private:
  struct Tensor {
    uint64_t id = 0;
    c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl> object;
  };

  void DropFreed();

  std::unordered_map<const void*, Tensor> tensors_;
  std::unordered_map<const void*, Storage> storages_;
  size_t limit_ = 64;
  uint64_t last_ = 0;
};

}  // namespace assay::trace

#endif  // ASSAY_BENCHMARKS_HARNESS_TRACE_IDENTITIES_H_
