#ifndef ASSAY_BENCHMARKS_HARNESS_NUMERICS_ERROR_MEASURES_H_
#define ASSAY_BENCHMARKS_HARNESS_NUMERICS_ERROR_MEASURES_H_

// ---------------------------------------------------------------------------------------------
// error_measures.h: the distance of two lists of numbers, as one number.
//
// Both lists have the same length, at least 1. A NaN in either gives NaN, but where it says
// otherwise.
//
// Not for: whether that is too far (rules.h).
//
// Example:
//   double rms = RootMeanSquareError(got, want);
// ---------------------------------------------------------------------------------------------

#include "absl/types/span.h"

namespace assay::numerics {

double RootMeanSquareError(absl::Span<const double> a, absl::Span<const double> b);

double LargestError(absl::Span<const double> a, absl::Span<const double> b);

// 1 where both are zero, 0 where one is. Tiny and huge values keep their direction.
double Cosine(absl::Span<const double> a, absl::Span<const double> b);

// mean(|got - want| / |want|), as PyTorch/XLA's verifier had it until 2024-07; infinite where
// `want` is 0 and `got` is not. Where both are 0, which is 0/0 there, the error is 0.
double MeanRelativeError(absl::Span<const double> got, absl::Span<const double> want);

// The share of elements that are true in both among those that are true in either; false is 0. The
// result is 1 if all are false.
double IntersectionOverUnion(absl::Span<const double> a, absl::Span<const double> b);

}  // namespace assay::numerics

#endif  // ASSAY_BENCHMARKS_HARNESS_NUMERICS_ERROR_MEASURES_H_
