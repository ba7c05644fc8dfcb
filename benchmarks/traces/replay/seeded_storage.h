#ifndef ASSAY_BENCHMARKS_TRACES_REPLAY_SEEDED_STORAGE_H_
#define ASSAY_BENCHMARKS_TRACES_REPLAY_SEEDED_STORAGE_H_

// ---------------------------------------------------------------------------------------------
// seeded_storage.h: values for memory that a trace reads and whose content it does not have. They
// come from (seed, name), the same on every machine.
//
// Floats lie between -1 and 1, between 0 and 1 where they must not be negative (variances, sums of
// squares, counts of steps). Whole numbers lie below `limit`, so that as indices they stay inside
// what they index.
//
// Example:
//   at::Tensor indices = SeededStorage(at::kLong, 64, {.seed = 0, .name = "storage.3", .limit = 10});
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "benchmarks/traces/graph/storages.h"
#include "benchmarks/traces/graph/trace_tree.h"

namespace assay::traces {

struct SeededValues {
  uint64_t seed = 0;
  std::string name = {};
  int64_t limit = 2;
  bool indexes = false;  // the limit is that of what the values index
  bool positive = false;
};

// A tensor of one dimension on the CPU. Zeros where the dtype is neither real, whole nor bool. Lets
// c10::Error through where there is no memory.
at::Tensor SeededStorage(at::ScalarType dtype, int64_t elements, const SeededValues& values);

// The values that the called operators need, by the place in `storages`. A limit goes
// back from an index through the operators that made it to what they read.
std::map<int, SeededValues> NeededValues(const TraceTree& tree, const Storages& storages,
                                         const std::vector<size_t>& calls);

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_REPLAY_SEEDED_STORAGE_H_
