// -----------------------------------------------------------------------------
// File: equivalence.h
// -----------------------------------------------------------------------------
//
// Are two things the same within a margin? Schuirmann's two one-sided t tests (1987).
//
// A test that finds no difference does not show that there is none: it may have had too little
// data. TOST proves the opposite: it shows that the effect lies inside -margin .. +margin, which at
// level alpha is the same as the 1 - 2 alpha interval lying inside. Wrong verdicts "equivalent"
// come with probability at most alpha where the estimate is t-distributed (see t_tests.h).
//
//   Equivalence same = TwoOneSidedTests(t.estimate, t.standard_error, t.degrees_of_freedom, 0.005);
//   if (same.equivalent) Print("no slower or faster than 0.5 %");

#ifndef ASSAY_BENCHMARKS_HARNESS_STATISTICS_TESTS_EQUIVALENCE_H_
#define ASSAY_BENCHMARKS_HARNESS_STATISTICS_TESTS_EQUIVALENCE_H_

#include "benchmarks/harness/statistics/testing/interval.h"

namespace assay::statistics {

struct Equivalence {
  double p_value = 1;       // the larger of the two one-sided ones
  Interval interval;        // at 1 - 2 alpha
  bool equivalent = false;  // p_value < alpha: the interval lies strictly inside the margin
};

// `estimate`, `standard_error` and `margin` have one unit; degrees of freedom may be infinite.
// A standard error of 0 decides by the estimate alone. Arguments that make no sense (NaN, a margin
// or degrees of freedom not above 0, a negative error, alpha outside 0 .. 1/2) show no equivalence:
// p-value 1, interval from -infinity to infinity.
Equivalence TwoOneSidedTests(double estimate, double standard_error, double degrees_of_freedom,
                             double margin, double alpha = 0.05);

}  // namespace assay::statistics

#endif  // ASSAY_BENCHMARKS_HARNESS_STATISTICS_TESTS_EQUIVALENCE_H_
