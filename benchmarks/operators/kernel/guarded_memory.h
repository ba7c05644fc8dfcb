#ifndef ASSAY_BENCHMARKS_OPERATORS_KERNEL_GUARDED_MEMORY_H_
#define ASSAY_BENCHMARKS_OPERATORS_KERNEL_GUARDED_MEMORY_H_

// ---------------------------------------------------------------------------------------------
// guarded_memory.h: host memory that shows every element outside of it that a kernel touches, and
// every element inside of it that a kernel leaves unwritten.
//
// A region lies between two pages that nobody may touch. An input's last element (or its first one)
// lies at such a page, so a kernel that reads one element too far dies there; RegionAt() then names
// the input. Inputs may be read-only. Memory that a kernel asks LibTorch for is a region as well: it
// begins on a boundary of 64 bytes, as LibTorch's own does, so up to 63 bytes lie between its end and
// the page; these hold a pattern, which is looked at when the memory is given back. It is filled with
// a byte before the kernel gets it: 0xFF is NaN in every floating-point dtype, and -1 in integers.
//
// Not for memory that a kernel takes from the C library itself: the address sanitizer sees that.
// Not for a GPU.
//
// Example:
//   at::Tensor input = Guarded(values, Edge::kEnd, "input 'self'");
//   const GuardedAllocations guarded(0xFF);    // from here on at::empty() gives regions
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <string>

namespace assay::kernel {

// Which end of the memory lies at the page. kMiddle: neither, so that a kernel does not know guarded memory by its address; what lies
// behind it is looked at all the same.
enum class Edge { kEnd, kStart, kMiddle };

// A copy of a strided CPU tensor in a region of its own: the same sizes and strides. `read_only`:
// whoever writes to it dies. Throws std::bad_alloc.
at::Tensor Guarded(const at::Tensor& tensor, Edge edge, const std::string& name, bool read_only);

// While one exists, LibTorch's CPU memory comes in regions, filled with `poison`. One at a time. `edge`: kEnd or kMiddle.
class GuardedAllocations {
 public:
  explicit GuardedAllocations(uint8_t poison, Edge edge = Edge::kEnd);
  ~GuardedAllocations();
  GuardedAllocations(const GuardedAllocations&) = delete;
  GuardedAllocations& operator=(const GuardedAllocations&) = delete;

  // The first byte behind the end of an allocation that was written to until now: "byte 3 behind the end of 40 bytes";
  // empty: nothing. Looks at those that still exist, too.
  std::string Damage() const;
};

// The region at or next to an address: "4 bytes behind the end of input 'self'", "in input 'self',
// which is read-only"; empty where no region is near. Safe in a signal handler: writes at most `size`
// bytes to `text`, with a zero at the end.
void DescribeAddress(const void* address, char* text, int64_t size);

}  // namespace assay::kernel

#endif  // ASSAY_BENCHMARKS_OPERATORS_KERNEL_GUARDED_MEMORY_H_
