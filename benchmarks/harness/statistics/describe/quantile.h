// -----------------------------------------------------------------------------
// File: quantile.h
// -----------------------------------------------------------------------------
//
// Quantiles of a sample, and how many samples it takes before one may be claimed.
//
// `Quantile` describes the numbers at hand. `PercentileClaim` speaks about the distribution
// behind them, and refuses where the samples cannot carry that: the largest of n samples lies
// beyond the p-quantile with probability 1 - p^n, so below log(1 - confidence) / log(p) samples
// not even the maximum is a safe upper bound (29 samples for p90 at 95 %, 299 for p99).
//
// Not for confidence intervals: those of the median are in median_interval.h.
//
//   std::vector<double> sorted = {1.0, 2.0, 4.0};
//   double median = assay::statistics::Median(sorted);                              // 2.0
//   absl::StatusOr<double> p90 = assay::statistics::PercentileClaim(sorted, 0.9);  // too few

#ifndef ASSAY_BENCHMARKS_HARNESS_STATISTICS_DESCRIBE_QUANTILE_H_
#define ASSAY_BENCHMARKS_HARNESS_STATISTICS_DESCRIBE_QUANTILE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace assay::statistics {

// The quantile at `probability` (0 .. 1) by linear interpolation between order statistics: type 7
// of Hyndman and Fan (1996), the default of R and NumPy. `sorted` ascends and is not empty.
double Quantile(absl::Span<const double> sorted, double probability);

// The middle value, or the mean of the two middle ones. `sorted` ascends and is not empty.
double Median(absl::Span<const double> sorted);

// The median of values in any order, NaN where there are none. Sorts: where several figures of one
// sample are wanted, sort it once and use the functions above.
double MedianOf(std::vector<double> values);

// The fewest samples whose extreme bounds the quantile at `probability` (strictly inside 0 .. 1)
// with the given confidence, whatever the distribution. For p below 1/2 the bound is the minimum.
int64_t SamplesForPercentile(double probability, double confidence = 0.95);

// `Quantile`, or FailedPrecondition when there are fewer samples than `SamplesForPercentile` asks
// for at 95 % confidence.
absl::StatusOr<double> PercentileClaim(absl::Span<const double> sorted, double probability);

}  // namespace assay::statistics

#endif  // ASSAY_BENCHMARKS_HARNESS_STATISTICS_DESCRIBE_QUANTILE_H_
