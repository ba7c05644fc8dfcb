#include "benchmarks/harness/statistics/describe/outliers.h"

#include <algorithm>
#include <cassert>
#include <cstddef>

#include "benchmarks/harness/statistics/describe/quantile.h"

namespace assay::statistics {
namespace {

// The smallest step between neighbours that differ; 0 when all are equal.
double SmallestStep(absl::Span<const double> sorted) {
  double step = sorted.back() - sorted.front();
  for (size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i] > sorted[i - 1]) step = std::min(step, sorted[i] - sorted[i - 1]);
  }
  return step;
}

}  // namespace

TukeyClasses ClassifyOutliers(absl::Span<const double> sorted) {
  assert(std::is_sorted(sorted.begin(), sorted.end()));
  if (sorted.empty()) return {};
  const double low = Quantile(sorted, 0.25), high = Quantile(sorted, 0.75);
  const double width = high > low ? high - low : SmallestStep(sorted);
  TukeyClasses classes{.low_severe_fence = low - 3 * width,
                       .low_mild_fence = low - 1.5 * width,
                       .high_mild_fence = high + 1.5 * width,
                       .high_severe_fence = high + 3 * width};
  const auto below = [&](double fence) {
    return std::lower_bound(sorted.begin(), sorted.end(), fence) - sorted.begin();
  };
  const auto above = [&](double fence) {
    return sorted.end() - std::upper_bound(sorted.begin(), sorted.end(), fence);
  };
  classes.low_severe = below(classes.low_severe_fence);
  classes.low_mild = below(classes.low_mild_fence) - classes.low_severe;
  classes.high_severe = above(classes.high_severe_fence);
  classes.high_mild = above(classes.high_mild_fence) - classes.high_severe;
  return classes;
}

}  // namespace assay::statistics
