// -----------------------------------------------------------------------------
// File: median_interval.h
// -----------------------------------------------------------------------------
//
// The order-statistic confidence interval of the median.
//
// For independent samples of any distribution, the number of samples below the true median is
// binomial(n, 1/2). So the pair of order statistics X(l), X(n + 1 - l) holds the true median with
// probability 1 - 2 P(Bin(n, 1/2) <= l - 1), and l is the largest rank that keeps this at or above
// the confidence asked for (Hahn and Meeker, "Statistical Intervals", 5.2). It assumes nothing
// about the shape of the distribution, which for timings is never normal. The ranks come from the
// exact binomial sum at every n, not from its normal approximation. Below 6 samples no 95 %
// interval exists: the whole range of 5 holds the median with probability 0.9375 only.
//
// Not valid for samples that depend on their predecessors (a clock that ramps): check steadiness
// first. Not about processes either: it speaks of the median of this process only.
//
//   absl::StatusOr<Interval> ci = assay::statistics::MedianInterval(sorted_ns);

#ifndef ASSAY_BENCHMARKS_HARNESS_STATISTICS_MEDIAN_INTERVAL_H_
#define ASSAY_BENCHMARKS_HARNESS_STATISTICS_MEDIAN_INTERVAL_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace assay::statistics {

struct Interval {
  double low = 0;
  double high = 0;
};

// One-based ranks of the order statistics that bound the median, and the probability that they do.
struct IntervalRanks {
  int64_t low = 0;
  int64_t high = 0;
  double coverage = 0;  // at least the confidence asked for
};

// The fewest samples for which an interval of this confidence exists: 6 at 95 %.
int64_t SamplesForMedianInterval(double confidence = 0.95);

// The narrowest symmetric ranks whose coverage is at least `confidence` (0 .. 1 - 1e-9).
// FailedPrecondition when `samples` < SamplesForMedianInterval(confidence). Takes time in
// proportion to the square root of `samples`.
absl::StatusOr<IntervalRanks> MedianIntervalRanks(int64_t samples, double confidence = 0.95);

// The interval itself. `sorted` ascends.
absl::StatusOr<Interval> MedianInterval(absl::Span<const double> sorted, double confidence = 0.95);

}  // namespace assay::statistics

#endif  // ASSAY_BENCHMARKS_HARNESS_STATISTICS_MEDIAN_INTERVAL_H_
