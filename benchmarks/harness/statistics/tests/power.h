// -----------------------------------------------------------------------------
// File: power.h
// -----------------------------------------------------------------------------
//
// How large must an effect be before a comparison is likely to see it?
//
// The answer is exact, by the noncentral t distribution. The usual shortcut
// (z_{alpha/2} + z_power) / sqrt(pairs) is short of the truth: at ten pairs and level 0.05 / 300 it
// says 1.71 deviations where 2.82 are needed. The standard deviation is taken as known; the one of
// a small sample is itself uncertain, and so is then the answer.
//
//   // 10 pairs of 0.3 % noise see 0.39 % in 95 of 100 campaigns.
//   double effect = assay::statistics::MinimumDetectableEffect(10, 0.003, 0.05);

#ifndef ASSAY_BENCHMARKS_HARNESS_STATISTICS_TESTS_POWER_H_
#define ASSAY_BENCHMARKS_HARNESS_STATISTICS_TESTS_POWER_H_

#include <cstdint>

#include "benchmarks/harness/statistics/tests/t_tests.h"

namespace assay::statistics {

// The effect that is found with probability `power`, in the unit of `standard_deviation`, which is
// that of one paired difference. Infinite for fewer than 2 pairs, 0 for no deviation; alpha < power
// < 1, alpha > 0, else infinite.
double MinimumDetectableEffect(int64_t pairs, double standard_deviation, double alpha,
                               double power = 0.95);

// The same for ModeratedPairedT.
double MinimumDetectableEffect(int64_t pairs, double standard_deviation, const VariancePrior& prior,
                               double alpha, double power = 0.95);

}  // namespace assay::statistics

#endif  // ASSAY_BENCHMARKS_HARNESS_STATISTICS_TESTS_POWER_H_
