// -----------------------------------------------------------------------------
// File: moments.h
// -----------------------------------------------------------------------------
//
// Mean of a sample, and its trend over the order in which it was taken.
//
// Not for headline figures of timings: those are medians (quantile.h), since one page fault moves
// a mean and not a median.
//
//   // -0.003 for each step
//   double trend = assay::statistics::RelativeSlope({10.2, 10.1, 10.1, 10.0, 10.1});

#ifndef ASSAY_BENCHMARKS_HARNESS_STATISTICS_DESCRIBE_MOMENTS_H_
#define ASSAY_BENCHMARKS_HARNESS_STATISTICS_DESCRIBE_MOMENTS_H_

#include "absl/types/span.h"

namespace assay::statistics {

// The arithmetic mean; compensated summation (Neumaier 1974), so 10^6 samples lose no digit.
// `values` is not empty.
double Mean(absl::Span<const double> values);

// The sample standard deviation (divisor n - 1); 0 for a single value. `values` is not empty.
double StandardDeviation(absl::Span<const double> values);

// Least-squares slope of the values over their index, divided by their mean: the share by which
// the values grow from one to the next. At least two values; 0 where the mean is 0.
double RelativeSlope(absl::Span<const double> values);

}  // namespace assay::statistics

#endif  // ASSAY_BENCHMARKS_HARNESS_STATISTICS_DESCRIBE_MOMENTS_H_
