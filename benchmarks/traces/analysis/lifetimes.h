#ifndef ASSAY_BENCHMARKS_TRACES_ANALYSIS_LIFETIMES_H_
#define ASSAY_BENCHMARKS_TRACES_ANALYSIS_LIFETIMES_H_

// ---------------------------------------------------------------------------------------------
// lifetimes.h: the tensors of a trace, each with who made it, who used it first and last, and its
// bytes. An id that names one tensor and later another, in other memory, has a row for each.
//
// Example:
//   for (const TensorLife& life : TensorLives(tree, FindStorages(tree))) ...
// ---------------------------------------------------------------------------------------------

#include <cstddef>
#include <cstdint>
#include <vector>

#include "benchmarks/traces/graph/storages.h"
#include "benchmarks/traces/graph/trace_tree.h"
#include "benchmarks/traces/reader/trace_node.h"

namespace assay::traces {

struct TensorLife {
  const TraceTensor* like = nullptr;  // as it was first seen, in the list of nodes
  int64_t id = 0, storage = 0;        // of the trace
  uint32_t made = kNoNode;            // the innermost operator that returned it first
  uint32_t first_use = kNoNode, last_use = kNoNode;  // operators that have it as an argument
  uint32_t uses = 0;
};

// In the order in which the tensors were first seen. `tree` and its nodes must outlive them.
std::vector<TensorLife> TensorLives(const TraceTree& tree, const Storages& storages);

// Bytes of the elements.
int64_t BytesOf(const TraceTensor& tensor);

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_ANALYSIS_LIFETIMES_H_
