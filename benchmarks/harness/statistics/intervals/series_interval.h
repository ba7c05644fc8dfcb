// -----------------------------------------------------------------------------
// File: series_interval.h
// -----------------------------------------------------------------------------
//
// The median's interval for samples that were taken one after the other and resemble their
// predecessors: the ranks of median_interval.h, moved outwards by sqrt(n / n_eff), where n_eff is
// how many independent samples the series is worth (steadiness.h).
//
// A narrow plain interval is a promise that only independent samples keep: under an autocorrelation
// of 0.3 its 95 % are 91 % at n = 50. Widened it covers 93 to 97 % there, and 95 to 97 % of
// independent samples (series_interval_test simulates both).
//
// Not for strong dependence (an autocorrelation above one half) nor for a drift: those are for the
// checks to flag.
//
//   absl::StatusOr<Interval> interval = SeriesMedianInterval(in_order_ns);

#ifndef ASSAY_BENCHMARKS_HARNESS_STATISTICS_INTERVALS_SERIES_INTERVAL_H_
#define ASSAY_BENCHMARKS_HARNESS_STATISTICS_INTERVALS_SERIES_INTERVAL_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "benchmarks/harness/statistics/testing/interval.h"

namespace assay::statistics {

// The plain interval below 20 values, where dependence cannot be told. FailedPrecondition where the
// series is worth too few samples for any interval, InvalidArgument for values that are not finite.
// O(n log n).
absl::StatusOr<Interval> SeriesMedianInterval(absl::Span<const double> in_order,
                                              double confidence = 0.95);

}  // namespace assay::statistics

#endif  // ASSAY_BENCHMARKS_HARNESS_STATISTICS_INTERVALS_SERIES_INTERVAL_H_
