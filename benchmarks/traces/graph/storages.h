#ifndef ASSAY_BENCHMARKS_TRACES_GRAPH_STORAGES_H_
#define ASSAY_BENCHMARKS_TRACES_GRAPH_STORAGES_H_

// ---------------------------------------------------------------------------------------------
// storages.h: which memory each tensor of a trace lies in. A trace names memory by its address, so
// that memory which was freed and memory that came after it have one id. Here they are told apart:
//
//   a result in memory that is none of the operator's arguments begins a new storage, unless an
//   operator within it made that storage;
//   an argument that does not fit what is known of the storage lies in another, which nobody made:
//   the host wrote it, or the operator that made it is not in the trace.
//
// All tensors without elements share one id in a trace; they have no storage here.
//
// Not for: sizes of what the program allocated. A storage is as large as its tensors need.
//
// Example:
//   const Storages storages = FindStorages(tree);
//   const Storage& of_first_input = storages.all[storages.inputs[node][0]];
// ---------------------------------------------------------------------------------------------

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "benchmarks/traces/graph/trace_tree.h"
#include "benchmarks/traces/reader/trace_node.h"

namespace assay::traces {

inline constexpr int kNoStorage = -1;

struct Storage {
  int64_t id = 0;
  size_t born = kNoNode;               // the innermost operator that made it; kNoNode: none did
  int64_t bytes = 0;                   // up to the end of the farthest tensor
  const TraceTensor* first = nullptr;  // its first tensor, in the list of nodes
};

// Numbers of each node, in one list.
class NumbersByNode {
 public:
  absl::Span<const int> operator[](size_t node) const {
    return absl::MakeSpan(numbers_).subspan(ranges_[node].first, ranges_[node].second);
  }
  void Resize(size_t nodes) { ranges_.resize(nodes); }
  // All of one node are added before those of another.
  void Add(size_t node, int number) {
    if (ranges_[node].second++ == 0) ranges_[node].first = static_cast<uint32_t>(numbers_.size());
    numbers_.push_back(number);
  }

 private:
  std::vector<std::pair<uint32_t, uint32_t>> ranges_;  // where they begin, and how many
  std::vector<int> numbers_;
};

struct Storages {
  std::vector<Storage> all = {};
  // By node, by tensor in the order of ForEachTensor(): places in `all`.
  NumbersByNode inputs = {}, outputs = {};
};

// Bytes from the beginning of its storage to the end of the tensor; -1 for a tensor that cannot be: of
// negative sizes, strides or offset, of another number of elements than its sizes make, or of more
// bytes than 63 bits count.
int64_t ExtentOf(const TraceTensor& tensor);

// `tree` and its nodes must outlive it.
Storages FindStorages(const TraceTree& tree);

// A tensor, with who made it and who used it. An id that names one tensor and later another, in other
// memory, has a row for each.
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

#endif  // ASSAY_BENCHMARKS_TRACES_GRAPH_STORAGES_H_
