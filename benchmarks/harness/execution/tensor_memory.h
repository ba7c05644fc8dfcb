#ifndef ASSAY_BENCHMARKS_HARNESS_EXECUTION_TENSOR_MEMORY_H_
#define ASSAY_BENCHMARKS_HARNESS_EXECUTION_TENSOR_MEMORY_H_

// ---------------------------------------------------------------------------------------------
// tensor_memory.h: counts the memory that tensors take while it lives, on any device.
//
// LibTorch's allocators report what this thread allocates and frees, and what autograd's threads do
// on its behalf. Counted is the memory that was allocated during the life of the counter, and
// nothing else: what was there before is not part of it, whether it is freed meanwhile or not, so
// no figure is ever negative. CPU allocations have the size that was asked for, those of CUDA the
// size that the allocator gives (a multiple of 512 B).
//
// Counted too is what operators take from those allocators for themselves, such as oneDNN's weights
// in another layout. Not seen: what libraries take elsewhere, such as MKL's buffers; what another
// thread allocates on its own account.
//
// Counters may be nested: each counts all that happens in its own life. They end in the opposite
// order of their beginning, on the thread that they began on.
//
// Not for: timed calls; each allocation takes a lock. While one lives, LibTorch's warnings are not
// printed: its CPU allocator would say that it frees what was allocated before the counter.
//
// Example:
//   TensorMemory memory;
//   outputs = program.Call(step, inputs);
//   Print(memory.Counts().peak_bytes);
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <memory>

namespace assay::execution {

// Since a counter began.
struct TensorMemoryCounts {
  int64_t allocations = 0;
  int64_t allocated_bytes = 0;  // sum of all allocations
  int64_t freed_bytes = 0;      // of them
  int64_t peak_bytes = 0;       // most of them alive at once

  int64_t AliveBytes() const { return allocated_bytes - freed_bytes; }
};

class TensorMemory {
 public:
  TensorMemory();
  ~TensorMemory();
  TensorMemory(const TensorMemory&) = delete;
  TensorMemory& operator=(const TensorMemory&) = delete;

  TensorMemoryCounts Counts() const;

 private:
  struct Scope;
  const std::unique_ptr<Scope> scope_;
};

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_EXECUTION_TENSOR_MEMORY_H_
