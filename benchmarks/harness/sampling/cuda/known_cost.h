// -----------------------------------------------------------------------------
// File: known_cost.h
// -----------------------------------------------------------------------------
//
// How much longer than its cost a kernel of known cost may read, for tests of the device.
//
// The kernel looks at %globaltimer until its cost has passed. So it runs for up to one step of that
// clock longer, its start may be noted up to one step late, and the reading holds what an empty
// kernel reads: its launch between the timer's two events. nvbench's test of itself allows 2.5 %, or
// 8 us where that is more.
//
// Not for judging samples of a user: validity.h.
//
//   EXPECT_LE(median_ns, cost_ns + KnownCostSlackNs(cost_ns, /*empty_ns=*/2'500, /*step_ns=*/32));

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_KNOWN_COST_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_KNOWN_COST_H_

#include <algorithm>

namespace assay::sampling {

// `empty_ns`: reading of a kernel of no cost. `step_ns`: the smallest step of %globaltimer.
inline double KnownCostSlackNs(double cost_ns, double empty_ns, double step_ns) {
  return std::max(0.005 * cost_ns, empty_ns + 2 * step_ns);
}

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_KNOWN_COST_H_
