// -----------------------------------------------------------------------------
// File: outliers.h
// -----------------------------------------------------------------------------
//
// Tukey's classes of outliers ("Exploratory Data Analysis", 1977): values beyond the quartiles by
// more than 1.5 times their distance are mild outliers, by more than 3 times severe ones.
//
// They are labelled and counted, never dropped: a page fault every tenth call is what a user gets.
// 0.7 % of normal values and 5 % of exponential ones are outliers, so a share proves no fault.
//
//   TukeyClasses classes = assay::statistics::ClassifyOutliers(sorted_ns);
//   if (classes.high_severe > 0) Print(classes.high_severe_fence);

#ifndef ASSAY_BENCHMARKS_HARNESS_STATISTICS_DESCRIBE_OUTLIERS_H_
#define ASSAY_BENCHMARKS_HARNESS_STATISTICS_DESCRIBE_OUTLIERS_H_

#include <cstdint>

#include "absl/types/span.h"

namespace assay::statistics {

struct TukeyClasses {
  int64_t low_severe = 0;
  int64_t low_mild = 0;
  int64_t high_mild = 0;
  int64_t high_severe = 0;
  // A value on a fence is still inside it. Unit of the values.
  double low_severe_fence = 0;
  double low_mild_fence = 0;
  double high_mild_fence = 0;
  double high_severe_fence = 0;

  int64_t Total() const { return low_severe + low_mild + high_mild + high_severe; }
};

// `sorted` ascends and is finite; no values give zeros. Where the quartiles coincide, because the
// clock is coarse, the smallest step between two different values takes the place of their
// distance: a value one tick away is no outlier. O(log n), in that case O(n).
TukeyClasses ClassifyOutliers(absl::Span<const double> sorted);

}  // namespace assay::statistics

#endif  // ASSAY_BENCHMARKS_HARNESS_STATISTICS_DESCRIBE_OUTLIERS_H_
