// -----------------------------------------------------------------------------
// File: memory_ratio.h
// -----------------------------------------------------------------------------
//
// What one call of a step takes of memory at most, on both sides: the compression ratio, baseline
// by candidate, so that more than 1 is less memory. TorchDynamo's benchmarks give it under this
// name, of all memory in use; here parameters, and whatever else is alive before the call, are left
// out (benchmarks/harness/execution/memory_use.h), so that 2 means half the memory of the call.
//
// Tensors take the same memory in each process, so there is no interval.
//
//   for (const StepPeaks& peaks : assay::compare::PeaksOf(baseline, candidate)) ...

#ifndef ASSAY_TOOLS_COMPARE_MEMORY_RATIO_H_
#define ASSAY_TOOLS_COMPARE_MEMORY_RATIO_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "defs/record.pb.h"

namespace assay::compare {

// Bytes; absent where a record does not say.
struct StepPeaks {
  std::string step = {};
  std::optional<int64_t> baseline = {};
  std::optional<int64_t> candidate = {};

  // Absent where a side is, or allocates nothing.
  std::optional<double> CompressionRatio() const;
};

// One for each step that either record tells the memory of, the baseline's first.
std::vector<StepPeaks> PeaksOf(const Record& baseline, const Record& candidate);

// The peaks of a series' step: "wall/backward" is of step backward, "wall" of forward. Neither side
// has one where no record tells.
StepPeaks PeaksOfMode(const Record& baseline, const Record& candidate, std::string_view mode);

}  // namespace assay::compare

#endif  // ASSAY_TOOLS_COMPARE_MEMORY_RATIO_H_
