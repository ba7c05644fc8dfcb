// -----------------------------------------------------------------------------
// File: multiplicity.h
// -----------------------------------------------------------------------------
//
// Corrects the p-values of many tests made at once.
//
// Of 300 cases without any change 15 have p < 0.05. Benjamini and Hochberg (JRSS B 57, 1995) bound
// the expected share of false ones among those that are called: calling every case with q <= 0.05
// makes at most 5 % of the calls false, for independent tests and for positively dependent ones
// (Benjamini and Yekutieli 2001).
//
//   std::vector<double> q = assay::statistics::BenjaminiHochberg(p_values);

#ifndef ASSAY_BENCHMARKS_HARNESS_STATISTICS_INTERVALS_MULTIPLICITY_H_
#define ASSAY_BENCHMARKS_HARNESS_STATISTICS_INTERVALS_MULTIPLICITY_H_

#include <vector>

#include "absl/types/span.h"

namespace assay::statistics {

// The q-value of each p-value, in the same order: the smallest level at which that test is called.
// Every p-value lies in 0 .. 1; NaN counts as 1, so that a test without a result is never called.
std::vector<double> BenjaminiHochberg(absl::Span<const double> p_values);

}  // namespace assay::statistics

#endif  // ASSAY_BENCHMARKS_HARNESS_STATISTICS_INTERVALS_MULTIPLICITY_H_
