// -----------------------------------------------------------------------------
// File: signed_rank_interval.h
// -----------------------------------------------------------------------------
//
// The confidence interval that belongs to Wilcoxon's signed-rank test and to the Hodges-Lehmann
// estimate: order statistics of the Walsh averages (v_i + v_j) / 2, i <= j (Hollander, Wolfe and
// Chicken, "Nonparametric Statistical Methods", 3.3).
//
// Exact for any distribution that is symmetric about its centre, however heavy its tails, and the
// values need not even have equal variances. It always holds the Hodges-Lehmann estimate, and it
// excludes 0 exactly when the signed-rank test rejects it at the same level.
//
// Not for values that depend on their predecessors, and not for fewer than 6 values at 95 %.
//
//   absl::StatusOr<Interval> interval = SignedRankInterval(log_ratios, 0.95);

#ifndef ASSAY_TOOLS_COMPARE_DECISION_SIGNED_RANK_INTERVAL_H_
#define ASSAY_TOOLS_COMPARE_DECISION_SIGNED_RANK_INTERVAL_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "benchmarks/harness/statistics/testing/interval.h"

namespace assay::compare {

// The largest rank k, from 1, such that the k-th smallest and the k-th largest Walsh average of
// `values` values enclose the centre with at least this confidence; 0 if there is none. Exact up to
// 300 values, then by the normal approximation.
int64_t SignedRankIntervalRank(int64_t values, double confidence);

// FailedPrecondition if there are too few values. Time and memory grow with the square of their
// number.
absl::StatusOr<statistics::Interval> SignedRankInterval(absl::Span<const double> values,
                                                        double confidence);

}  // namespace assay::compare

#endif  // ASSAY_TOOLS_COMPARE_DECISION_SIGNED_RANK_INTERVAL_H_
