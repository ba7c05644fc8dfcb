// -----------------------------------------------------------------------------
// File: student.h
// -----------------------------------------------------------------------------
//
// Student's distribution as the tests of this folder need it. Infinite degrees of freedom are the
// normal distribution. Far tails come from the complementary functions, so p = 1e-30 has digits.
//
//   double p = assay::statistics::TwoSidedP(2.26, 9);              // 0.0502
//   double t = assay::statistics::CriticalT(0.05, 9);              // 2.262: two-sided

#ifndef ASSAY_BENCHMARKS_HARNESS_STATISTICS_INTERVALS_STUDENT_H_
#define ASSAY_BENCHMARKS_HARNESS_STATISTICS_INTERVALS_STUDENT_H_

namespace assay::statistics {

// P(T > t). `degrees_of_freedom` > 0 everywhere in this file; t may be infinite.
double UpperTail(double t, double degrees_of_freedom);

// P(|T| > |t|).
double TwoSidedP(double t, double degrees_of_freedom);

// The t with P(|T| > t) = alpha, alpha in (0, 1).
double CriticalT(double alpha, double degrees_of_freedom);

// P(|T| > critical) when T is noncentral with the given shift: the power of a two-sided t test.
double TwoSidedPower(double critical, double degrees_of_freedom, double noncentrality);

}  // namespace assay::statistics

#endif  // ASSAY_BENCHMARKS_HARNESS_STATISTICS_INTERVALS_STUDENT_H_
