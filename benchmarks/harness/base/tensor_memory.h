#ifndef ASSAY_BENCHMARKS_HARNESS_BASE_TENSOR_MEMORY_H_
#define ASSAY_BENCHMARKS_HARNESS_BASE_TENSOR_MEMORY_H_

// ---------------------------------------------------------------------------------------------
// tensor_memory.h: counts the memory that tensors take during its lifetime, on any device.
//
// LibTorch's allocators report what this thread allocates and frees, and what autograd's threads do
// on its behalf. It counts only memory that was allocated during its lifetime. Older memory is
// ignored even when it is freed, so no figure is ever negative. CPU allocations have the size that
// was asked for, those of CUDA the size that the allocator gives (a multiple of 512 B).
//
// It also counts what operators take from those allocators for themselves, such as oneDNN's weights
// in another layout. It does not see memory from other sources, such as MKL's buffers, nor what
// another thread allocates on its own behalf.
//
// A function may look on: it gets each allocation and each free that is counted, one at a time, on the
// thread that made it.
//
// Counters may be nested: each counts everything in its own lifetime. They end in the opposite
// order of their beginning, on the thread that they began on.
//
// Not for: timed calls; each allocation takes a lock. While a counter exists, LibTorch's warnings
// are not printed: its CPU allocator would warn about frees of older memory.
//
// Example:
//   TensorMemory memory;
//   outputs = program.Call(step, inputs);
//   Print(memory.Counts().peak_bytes);
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <functional>
#include <memory>

namespace assay::base {

// Sums since a counter began.
struct TensorMemoryCounts {
  int64_t allocations = 0;
  int64_t allocated_bytes = 0;  // sum of all allocations
  int64_t freed_bytes = 0;      // number of allocations
  int64_t peak_bytes = 0;       // most bytes alive at one time

  int64_t AliveBytes() const { return allocated_bytes - freed_bytes; }
};

class TensorMemory {
 public:
  // An allocation of `bytes`, or the free of one, of which `bytes` is then the negative.
  using OnChange = std::function<void(const void* address, int64_t bytes)>;

  explicit TensorMemory(OnChange on_change = nullptr);
  ~TensorMemory();
  TensorMemory(const TensorMemory&) = delete;
  TensorMemory& operator=(const TensorMemory&) = delete;

  TensorMemoryCounts Counts() const;

 private:
  struct Scope;
  const std::unique_ptr<Scope> scope_;
};

}  // namespace assay::base

#endif  // ASSAY_BENCHMARKS_HARNESS_BASE_TENSOR_MEMORY_H_
