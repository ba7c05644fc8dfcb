#include "benchmarks/harness/statistics/intervals/median_interval.h"

namespace assay::statistics {

int64_t SamplesForMedianInterval(double confidence) {
  return SamplesForQuantileInterval(0.5, confidence);
}

absl::StatusOr<IntervalRanks> MedianIntervalRanks(int64_t samples, double confidence) {
  return QuantileIntervalRanks(samples, 0.5, confidence);
}

absl::StatusOr<Interval> MedianInterval(absl::Span<const double> sorted, double confidence) {
  return QuantileInterval(sorted, 0.5, confidence);
}

}  // namespace assay::statistics
