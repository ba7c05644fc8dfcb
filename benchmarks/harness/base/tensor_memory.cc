#include "benchmarks/harness/base/tensor_memory.h"

#include <c10/core/Allocator.h>
#include <c10/util/Logging.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace assay::base {
namespace {

// The sizes that a counter keeps. Shared, because autograd's threads may hold them a little longer.
class Ledger final : public c10::MemoryReportingInfoBase {
 public:
  // Every report is passed on to `outer`.
  Ledger(c10::MemoryReportingInfoBase* outer, TensorMemory::OnChange on_change)
      : outer_(outer), on_change_(std::move(on_change)) {}

  bool memoryProfilingEnabled() const override { return true; }

  // A negative size is a free.
  void reportMemoryUsage(void* memory, int64_t bytes, size_t allocated, size_t reserved,
                         c10::Device device) override {
    {
      const std::scoped_lock lock(mutex_);
      Free(memory);  // an allocation at a known address: the free before it was not reported
      if (bytes > 0) Allocate(memory, bytes);
    }
    if (outer_ != nullptr && outer_->memoryProfilingEnabled())
      outer_->reportMemoryUsage(memory, bytes, allocated, reserved, device);
  }

  TensorMemoryCounts Counts() const {
    const std::scoped_lock lock(mutex_);
    return counts_;
  }

 private:
  void Allocate(void* memory, int64_t bytes) {
    sizes_[memory] = bytes;
    ++counts_.allocations;
    counts_.allocated_bytes += bytes;
    counts_.peak_bytes = std::max(counts_.peak_bytes, counts_.AliveBytes());
    if (on_change_) on_change_(memory, bytes);
  }

  // Ignores memory that was allocated before.
  void Free(void* memory) {
    const auto found = sizes_.find(memory);
    if (found == sizes_.end()) return;
    counts_.freed_bytes += found->second;
    if (on_change_) on_change_(memory, -found->second);
    sizes_.erase(found);
  }

  c10::MemoryReportingInfoBase* const outer_;  // c10's list keeps it alive longer than this
  const TensorMemory::OnChange on_change_;
  mutable std::mutex mutex_;
  // Sizes by address. The devices of a process share one address space, so an address is enough.
  std::unordered_map<void*, int64_t> sizes_;
  TensorMemoryCounts counts_;
};

// kKind is an enumerator; from LibTorch 2.15 on it is an object, which may not have been made yet.
const c10::DebugInfoKind& kKind = c10::DebugInfoKind::PROFILER_STATE;

std::shared_ptr<Ledger> NewLedger(TensorMemory::OnChange on_change) {
  return std::make_shared<Ledger>(
      dynamic_cast<c10::MemoryReportingInfoBase*>(c10::ThreadLocalDebugInfo::get(kKind)),
      std::move(on_change));
}

// Suppresses LibTorch's warnings while it exists.
class Quiet {
 public:
  Quiet() : level_(FLAGS_caffe2_log_level) {
    FLAGS_caffe2_log_level = std::max<int>(level_, c10::GLOG_ERROR);
  }
  ~Quiet() { FLAGS_caffe2_log_level = level_; }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  const int level_;
};

}  // namespace

struct TensorMemory::Scope {
  explicit Scope(OnChange on_change) : ledger(NewLedger(std::move(on_change))) {}

  const Quiet quiet;
  const std::shared_ptr<Ledger> ledger;
  const c10::DebugInfoGuard guard{kKind, ledger};
};

TensorMemory::TensorMemory(OnChange on_change)
    : scope_(std::make_unique<Scope>(std::move(on_change))) {}
TensorMemory::~TensorMemory() = default;

TensorMemoryCounts TensorMemory::Counts() const { return scope_->ledger->Counts(); }

}  // namespace assay::base
