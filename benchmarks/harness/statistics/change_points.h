// -----------------------------------------------------------------------------
// File: change_points.h
// -----------------------------------------------------------------------------
//
// Where in a history of results did the level change?
//
// Seeded binary segmentation (Kovacs, Buhlmann, Li and Munk, Biometrika 110, 2023) over ranks: the
// series is covered by intervals of n, n/2, n/4, ... values that overlap by half; in each, every
// cut is tried with the standardised Mann-Whitney statistic, which neither one wild value nor a
// skewed distribution moves much; the strongest cut is taken, the intervals that hold it are set
// aside, and so on. A change that is undone later is found by an interval which holds only one of
// the two.
//
// Choosing the best cut and then testing it as if it had been named beforehand finds changes in 48
// to 68 % of series without any at p = 0.05. Here the p-value is multiplied by the length of the
// series (Bonferroni over the cuts, and slightly more in long ones, for the intervals): of series
// without a change 1.4 % (n = 50), 1.7 % (100) and 3.9 % (1000) have one at alpha 0.05. That holds
// for independent values. Results that depend on their predecessors (the same host for days) raise
// more: 0.2 % instead of 0.01 % at alpha 1e-4, n = 100 and correlation 0.3; so confirm by an A/B
// run.
//
// The cut itself is then put where the values lie nearest to the two levels. With alpha 1e-4 a
// change in the middle needs about 30 values in all, and a new level about 10 values.
//
//   for (const ChangePoint& c : FindChangePoints(medians, {.min_relative_change = 0.02})) {
//     Print(c.index, c.before, c.after);
//   }

#ifndef ASSAY_BENCHMARKS_HARNESS_STATISTICS_CHANGE_POINTS_H_
#define ASSAY_BENCHMARKS_HARNESS_STATISTICS_CHANGE_POINTS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace assay::statistics {

struct ChangePoint {
  int64_t index = 0;  // of the first value at the new level
  double before = 0;  // medians between this change point and its neighbours
  double after = 0;
  double p_value = 1;  // of the change, corrected for choosing its place
};

struct ChangePointOptions {
  double alpha = 1e-4;
  double min_relative_change = 0;  // |after - before| / |before|, within the interval that found it
  int64_t min_segment = 5;         // values on either side of a cut, at least 1
};

// The change points in ascending order; none when the series is too short for any. A value that is
// not finite (a run without a result) is left out, but counts in the indices. O(n log^2 n).
std::vector<ChangePoint> FindChangePoints(absl::Span<const double> series,
                                          const ChangePointOptions& options = {});

}  // namespace assay::statistics

#endif  // ASSAY_BENCHMARKS_HARNESS_STATISTICS_CHANGE_POINTS_H_
