// -----------------------------------------------------------------------------
// File: quantile_interval.h
// -----------------------------------------------------------------------------
//
// The order-statistic confidence interval of any quantile.
//
// For independent samples of any continuous distribution, the number of samples below the true
// p-quantile is binomial(n, p). So the order statistics X(l) and X(u) hold it with probability
// P(l <= Bin(n, p) <= u - 1), and l and u are the innermost ranks for which each of the two tails
// is at most half of what the confidence leaves (Hahn and Meeker, "Statistical Intervals", 5.2).
// It assumes nothing about the shape of the distribution. The ranks come from the exact binomial
// sum at every n, not from its normal approximation; ties only raise the coverage.
//
// The coverage is a staircase in n and never below what was asked: for the median and 95 % it is
// 96.9 % at n = 6, 97.9 % at 10, 95.7 % at 30 and 95.1 % at 10000. It does not hold for samples
// that depend on their predecessors: with a first-order correlation of 0.3 the 95 % interval of
// the median of 50 samples covers 91 % (quantile_interval_test.cc).
//
//   absl::StatusOr<Interval> p90 = assay::statistics::QuantileInterval(sorted_ns, 0.9);

#ifndef ASSAY_BENCHMARKS_HARNESS_STATISTICS_INTERVALS_QUANTILE_INTERVAL_H_
#define ASSAY_BENCHMARKS_HARNESS_STATISTICS_INTERVALS_QUANTILE_INTERVAL_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "benchmarks/harness/statistics/testing/interval.h"

namespace assay::statistics {

// One-based ranks of the order statistics that bound the quantile, and the probability that they
// do.
struct IntervalRanks {
  int64_t low = 0;
  int64_t high = 0;
  double coverage = 0;  // at least the confidence asked for
};

// The fewest samples for which a two-sided interval exists: 6 for the median at 95 %, 36 for p90,
// 368 for p99. Both arguments strictly inside 0 .. 1.
int64_t SamplesForQuantileInterval(double probability, double confidence = 0.95);

// InvalidArgument for a probability or confidence outside 0 .. 1 (confidence up to 1 - 1e-9);
// FailedPrecondition below SamplesForQuantileInterval. Takes time in proportion to the square root
// of `samples`.
absl::StatusOr<IntervalRanks> QuantileIntervalRanks(int64_t samples, double probability,
                                                    double confidence = 0.95);

// The interval itself. `sorted` ascends.
absl::StatusOr<Interval> QuantileInterval(absl::Span<const double> sorted, double probability,
                                          double confidence = 0.95);

}  // namespace assay::statistics

#endif  // ASSAY_BENCHMARKS_HARNESS_STATISTICS_INTERVALS_QUANTILE_INTERVAL_H_
