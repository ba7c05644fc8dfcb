#include "benchmarks/harness/statistics/describe/quantile.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"

namespace assay::statistics {

double Quantile(absl::Span<const double> sorted, double probability) {
  assert(!sorted.empty() && std::is_sorted(sorted.begin(), sorted.end()));
  const double position =
      std::clamp(probability, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
  const size_t below = static_cast<size_t>(position);
  if (below + 1 >= sorted.size()) return sorted.back();
  return std::lerp(sorted[below], sorted[below + 1], position - static_cast<double>(below));
}

double Median(absl::Span<const double> sorted) { return Quantile(sorted, 0.5); }

double MedianOf(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(values.begin(), values.end());
  return Median(values);
}

int64_t SamplesForPercentile(double probability, double confidence) {
  assert(probability > 0 && probability < 1 && confidence > 0 && confidence < 1);
  const double tail = std::max(probability, 1 - probability);
  // The slack keeps a quotient that is an integer on paper from being rounded up to the next one.
  const double exact = std::log1p(-confidence) / std::log(tail);
  return std::max<int64_t>(1, static_cast<int64_t>(std::ceil(exact * (1 - 1e-12))));
}

absl::StatusOr<double> PercentileClaim(absl::Span<const double> sorted, double probability) {
  const int64_t needed = SamplesForPercentile(probability);
  if (static_cast<int64_t>(sorted.size()) < needed) {
    return absl::FailedPreconditionError(
        absl::StrFormat("p%g needs %d samples at 95 %% confidence, there are %d; take more samples "
                        "or read the median",
                        100 * probability, needed, sorted.size()));
  }
  return Quantile(sorted, probability);
}

}  // namespace assay::statistics
