// -----------------------------------------------------------------------------
// File: steadiness.h
// -----------------------------------------------------------------------------
//
// Do samples, in the order in which they were taken, come from one steady state?
//
// Three questions. Is there a trend: Mann (1945) and Kendall's test, which asks of all pairs
// whether the later value is the larger one, with a normal p-value corrected for ties and
// continuity. How much does it matter: the slope of the resistant line through the medians of the
// first and the last third (Tukey 1977), as a change over the whole series; a sixth of the values
// may be arbitrarily bad and it stays bounded, where least squares gives way to a single one. How
// much does a sample depend on its predecessor: the first-order autocorrelation, and how many
// independent samples the series is worth, n (1 - r) / (1 + r).
//
// The p-value takes samples as independent. Positive autocorrelation without any trend lowers it
// (at r = 0.3, p < 0.05 comes up in 13 % of series of 50), and in long series trends too small to
// matter have p = 0. So call a series unsteady only when the slope matters as well:
//
//   auto seen = AssessSteadiness(in_order_ns);
//   if (seen.ok() && seen->trend_p_value < 0.001 && std::abs(seen->slope_share) > 0.01) ...
//
// A spike, a step that returns, or an even oscillation is no trend: outliers.h and modality.h look for
// those.

#ifndef ASSAY_BENCHMARKS_HARNESS_STATISTICS_DESCRIBE_STEADINESS_H_
#define ASSAY_BENCHMARKS_HARNESS_STATISTICS_DESCRIBE_STEADINESS_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace assay::statistics {

struct Steadiness {
  double trend_p_value = 1;         // two-sided; 1 when all values are equal
  double slope_share = 0;           // change over the whole series / median; 0 for a median of 0
  double lag1_autocorrelation = 0;  // 0 when all values are equal
  double effective_samples = 0;     // 1 .. n; negative autocorrelation earns no credit
};

// Needs 8 values, below which the normal approximation is poor. O(n log n) time, 16 bytes a value.
absl::StatusOr<Steadiness> AssessSteadiness(absl::Span<const double> in_order);

}  // namespace assay::statistics

#endif  // ASSAY_BENCHMARKS_HARNESS_STATISTICS_DESCRIBE_STEADINESS_H_
