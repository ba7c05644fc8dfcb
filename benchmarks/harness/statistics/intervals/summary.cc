#include "benchmarks/harness/statistics/intervals/summary.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "benchmarks/harness/statistics/describe/moments.h"
#include "benchmarks/harness/statistics/describe/quantile.h"

namespace assay::statistics {
namespace {

template <typename T>
std::optional<T> IfCarried(const absl::StatusOr<T>& claim) {
  return claim.ok() ? std::optional<T>(*claim) : std::nullopt;
}

}  // namespace

absl::StatusOr<Summary> Summarize(absl::Span<const double> samples) {
  if (samples.empty()) return absl::InvalidArgumentError("there are no samples to summarize");
  for (size_t i = 0; i < samples.size(); ++i) {
    if (!std::isfinite(samples[i])) {
      return absl::InvalidArgumentError(absl::StrFormat("sample %d is %g", i, samples[i]));
    }
  }
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  return Summary{
      .count = static_cast<int64_t>(sorted.size()),
      .minimum = sorted.front(),
      .maximum = sorted.back(),
      .mean = Mean(sorted),
      .median = Median(sorted),
      .median_interval = IfCarried(MedianInterval(sorted)),
      .p10 = IfCarried(PercentileClaim(sorted, 0.1)),
      .p90 = IfCarried(PercentileClaim(sorted, 0.9)),
      .p99 = IfCarried(PercentileClaim(sorted, 0.99)),
      .outliers = ClassifyOutliers(sorted),
  };
}

}  // namespace assay::statistics
