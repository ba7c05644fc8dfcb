// -----------------------------------------------------------------------------
// File: heap_count.h
// -----------------------------------------------------------------------------
//
// Counts what operator new hands out, in every program that links this: it replaces operator new
// and delete. Not for memory taken by malloc itself.
//
//   const HeapCount before = CountHeap();
//   Work();
//   CountHeap().allocations - before.allocations

#ifndef ASSAY_TOOLS_CERTIFY_HEAP_COUNT_H_
#define ASSAY_TOOLS_CERTIFY_HEAP_COUNT_H_

#include <cstdint>

namespace assay::certify {

struct HeapCount {
  int64_t allocations = 0;
  int64_t live_bytes = 0;
};

HeapCount CountHeap();

}  // namespace assay::certify

#endif  // ASSAY_TOOLS_CERTIFY_HEAP_COUNT_H_
