#include "benchmarks/harness/statistics/describe/moments.h"

#include <cassert>
#include <cmath>
#include <cstddef>

namespace assay::statistics {

double Mean(absl::Span<const double> values) {
  assert(!values.empty());
  double sum = 0, lost = 0;
  for (double value : values) {
    const double next = sum + value;
    lost += std::abs(sum) >= std::abs(value) ? (sum - next) + value : (value - next) + sum;
    sum = next;
  }
  return (sum + lost) / static_cast<double>(values.size());
}

double StandardDeviation(absl::Span<const double> values) {
  if (values.size() < 2) return 0;
  const double mean = Mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

double RelativeSlope(absl::Span<const double> values) {
  assert(values.size() >= 2);
  const double mean = Mean(values);
  if (mean == 0) return 0;
  const double middle = static_cast<double>(values.size() - 1) / 2;
  double covariance = 0, variance = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const double distance = static_cast<double>(i) - middle;
    covariance += distance * (values[i] - mean);
    variance += distance * distance;
  }
  return covariance / variance / mean;
}

}  // namespace assay::statistics
