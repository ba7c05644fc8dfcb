// -----------------------------------------------------------------------------
// File: geometric_mean.h
// -----------------------------------------------------------------------------
//
// One ratio for a whole suite: the geometric mean over models, with its error.
//
// First over the cases of each model, then over the models with equal weight, so that a model with
// forty batch sizes counts no more than one with a single case. The geometric mean is the only mean
// that does not depend on which side of the ratio is called the baseline (Fleming and Wallace,
// CACM 29, 1986).
//
// The interval carries the measurement errors of the cases on, taken as independent: it says how
// well the mean of *these* models is known, not what a model outside the suite would do. Degrees of
// freedom combine by Welch and Satterthwaite's rule.
//
//   auto mean = GeometricMeanOverModels({{"bert", 0.021, 0.004, 9}, {"mlp", -0.002, 0.001, 9}});
//   if (mean.ok()) Print(mean->ratio);                                              // 1.0095

#ifndef ASSAY_BENCHMARKS_HARNESS_STATISTICS_GEOMETRIC_MEAN_H_
#define ASSAY_BENCHMARKS_HARNESS_STATISTICS_GEOMETRIC_MEAN_H_

#include <cstdint>
#include <limits>
#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "benchmarks/harness/statistics/interval.h"

namespace assay::statistics {

// One case.
struct Ratio {
  std::string model;
  double log_ratio = 0;
  double standard_error = 0;                                            // of log_ratio
  double degrees_of_freedom = std::numeric_limits<double>::infinity();  // of standard_error
};

struct GeometricMean {
  double ratio = 1;
  Interval interval;  // of the ratio
  int64_t models = 0;
};

// InvalidArgument for a number that is not finite, a negative error, degrees of freedom not above
// 0; FailedPrecondition for no ratios.
absl::StatusOr<GeometricMean> GeometricMeanOverModels(absl::Span<const Ratio> ratios,
                                                      double confidence = 0.95);

}  // namespace assay::statistics

#endif  // ASSAY_BENCHMARKS_HARNESS_STATISTICS_GEOMETRIC_MEAN_H_
