// -----------------------------------------------------------------------------
// File: bootstrap.h
// -----------------------------------------------------------------------------
//
// Efron's bias-corrected and accelerated (BCa) bootstrap interval of any statistic ("Better
// bootstrap confidence intervals", JASA 82, 1987).
//
// It is a second opinion for statistics that have no interval of their own, where values are
// independent. It falls short at small n, as every bootstrap does (bootstrap_test.cc, 2000 sets
// each): the 95 % interval of the mean covers 84 % of normal values at n = 5, 90 % at 10, 93 % at
// 20 and 95 % at 50; 83, 90, 92 and 94 % at a skewness of 0.95; 93 to 95 % of two modes. Below
// about 20 values the t interval is the better one. Values that depend on their predecessors break
// it altogether.
//
// Costs resamples * n, plus n (at most 1000) calls for the acceleration: above 1000 values groups
// are left out in turn instead of single ones, which estimates the same skewness. The result is
// the same on every machine for the same seed.
//
//   auto interval = assay::statistics::BcaInterval(log_ratios, Mean, {.seed = 1});

#ifndef ASSAY_BENCHMARKS_HARNESS_STATISTICS_INTERVALS_BOOTSTRAP_H_
#define ASSAY_BENCHMARKS_HARNESS_STATISTICS_INTERVALS_BOOTSTRAP_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "benchmarks/harness/statistics/testing/interval.h"

namespace assay::statistics {

struct BootstrapOptions {
  double confidence = 0.95;
  int64_t resamples = 10000;  // at least 100
  uint64_t seed = 0;
};

// `statistic` must not depend on the order of the values and gives a finite number for any resample
// (else InvalidArgument). Where no resample changes it the interval is a point. Needs 2 values.
absl::StatusOr<Interval> BcaInterval(absl::Span<const double> values,
                                     absl::FunctionRef<double(absl::Span<const double>)> statistic,
                                     const BootstrapOptions& options = {});

}  // namespace assay::statistics

#endif  // ASSAY_BENCHMARKS_HARNESS_STATISTICS_INTERVALS_BOOTSTRAP_H_
