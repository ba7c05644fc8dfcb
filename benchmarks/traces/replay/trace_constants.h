#ifndef ASSAY_BENCHMARKS_TRACES_REPLAY_TRACE_CONSTANTS_H_
#define ASSAY_BENCHMARKS_TRACES_REPLAY_TRACE_CONSTANTS_H_

// ---------------------------------------------------------------------------------------------
// trace_constants.h: memory that a replay reads and that none of its calls makes, with its saved bytes
// or, where there are none, with seeded values.
//
// Example:
//   TraceConstants constants(tree, storages, plan.calls, {.seed = 0});
//   at::Tensor weight = constants.Of(node, tensor, storage, /*place=*/1);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "benchmarks/traces/graph/storages.h"
#include "benchmarks/traces/graph/trace_tree.h"
#include "benchmarks/traces/replay/saved_values.h"
#include "benchmarks/traces/replay/seeded_storage.h"

namespace assay::traces {

struct GraphValues {
  uint64_t seed = 0;
  const SavedValues* saved = nullptr;  // null: none
};

// The strides of a contiguous tensor where the trace has none.
std::vector<int64_t> StridesOf(const TraceTensor& tensor);

class TraceConstants {
 public:
  // All but `values` must outlive it.
  TraceConstants(const TraceTree& tree, const Storages& storages, const std::vector<size_t>& calls,
                 const GraphValues& values);

  // A tensor that the node reads, at this place among its tensors (trace_node.h). Lets c10::Error
  // through; status() says more where there is too little memory.
  at::Tensor Of(size_t node, const TraceTensor& tensor, int storage, size_t place);
  bool Has(int storage, const std::string& dtype) const {
    return bases_.count({storage, dtype}) > 0;
  }
  // The elements of a storage one after another; undefined where it is no constant.
  at::Tensor Flat(int storage) const;

  // The first bytes of what the trace names so, until Forget().
  void SetFirst(int64_t id, at::Tensor bytes) { first_values_[id] = std::move(bytes); }
  void Forget(int64_t id) { first_values_.erase(id); }

  // ResourceExhausted where the machine has less memory than the constants.
  const absl::Status& status() const { return status_; }

  int64_t bytes = 0;
  int storages = 0, seeded = 0;

 private:
  at::Tensor NewBase(size_t node, const TraceTensor& tensor, at::ScalarType dtype, int storage,
                     size_t place);
  at::Tensor SavedBase(at::ScalarType dtype, int64_t elements, int storage);
  at::Tensor SeededBase(at::ScalarType dtype, int64_t elements, int storage, bool number,
                        std::optional<double> wrapped);
  std::optional<double> WrappedNumber(size_t node, const TraceTensor& tensor, size_t place) const;

  const TraceTree& tree_;
  const Storages& of_trace_;
  const uint64_t seed_;
  const SavedValues* const saved_;
  const std::map<int, SeededValues> needed_;
  std::map<std::pair<int, std::string>, at::Tensor> bases_;  // by storage and dtype
  std::map<int64_t, at::Tensor> first_values_;               // saved bytes, by the trace's id
  std::map<int, at::Tensor> bytes_;                          // of constants that have saved bytes
  absl::Status status_;
};

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_REPLAY_TRACE_CONSTANTS_H_
