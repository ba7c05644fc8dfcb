// -----------------------------------------------------------------------------
// File: median_interval.h
// -----------------------------------------------------------------------------
//
// The order-statistic confidence interval of the median: quantile_interval.h at probability 1/2,
// which says how it is made and what it assumes. By symmetry its ranks are l and n + 1 - l. Below 6
// samples no 95 % interval exists: the whole range of 5 holds the median with probability 0.9375
// only.
//
// Not valid for samples that depend on their predecessors (a clock that ramps): check steadiness
// first. Nor for other processes: it covers the median of this process only.
//
//   absl::StatusOr<Interval> ci = assay::statistics::MedianInterval(sorted_ns);

#ifndef ASSAY_BENCHMARKS_HARNESS_STATISTICS_INTERVALS_MEDIAN_INTERVAL_H_
#define ASSAY_BENCHMARKS_HARNESS_STATISTICS_INTERVALS_MEDIAN_INTERVAL_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "benchmarks/harness/statistics/intervals/quantile_interval.h"
#include "benchmarks/harness/statistics/testing/interval.h"

namespace assay::statistics {

// The fewest samples for which an interval of this confidence exists: 6 at 95 %.
int64_t SamplesForMedianInterval(double confidence = 0.95);

// The narrowest symmetric ranks whose coverage is at least `confidence` (0 .. 1 - 1e-9).
// FailedPrecondition when `samples` < SamplesForMedianInterval(confidence). Takes time in
// proportion to the square root of `samples`.
absl::StatusOr<IntervalRanks> MedianIntervalRanks(int64_t samples, double confidence = 0.95);

// The interval itself. `sorted` ascends.
absl::StatusOr<Interval> MedianInterval(absl::Span<const double> sorted, double confidence = 0.95);

}  // namespace assay::statistics

#endif  // ASSAY_BENCHMARKS_HARNESS_STATISTICS_INTERVALS_MEDIAN_INTERVAL_H_
