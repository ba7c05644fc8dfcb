// -----------------------------------------------------------------------------
// File: memory_ratio.h
// -----------------------------------------------------------------------------
//
// The peak memory of one call of a step on both sides, and their ratio, baseline by candidate: more
// than 1 means that the candidate needs less. TorchDynamo's benchmarks call it the compression
// ratio and take all memory in use. Here parameters, and whatever else exists before the call, are
// left out (benchmarks/harness/costs/memory_use.h), so 2 means half the memory of the call.
//
// Tensors take the same memory in each process, so there is no interval.
//
//   for (const StepPeaks& peaks : assay::compare::PeaksOf(baseline, candidate)) ...

#ifndef ASSAY_TOOLS_COMPARE_DECISION_MEMORY_RATIO_H_
#define ASSAY_TOOLS_COMPARE_DECISION_MEMORY_RATIO_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "defs/proto/record.pb.h"

namespace assay::compare {

// Bytes; absent if a record does not have them.
struct StepPeaks {
  std::string step = {};
  std::optional<int64_t> baseline = {};
  std::optional<int64_t> candidate = {};

  // Absent if a side is absent or allocates nothing.
  std::optional<double> CompressionRatio() const;
};

// One for each step whose memory either record has, the baseline's first.
std::vector<StepPeaks> PeaksOf(const Record& baseline, const Record& candidate);

// The peaks of a series' step: "wall/backward" is of step backward, "wall" of forward. Both absent
// if no record has them.
StepPeaks PeaksOfMode(const Record& baseline, const Record& candidate, std::string_view mode);

}  // namespace assay::compare

#endif  // ASSAY_TOOLS_COMPARE_DECISION_MEMORY_RATIO_H_
