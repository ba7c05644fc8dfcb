#include "benchmarks/harness/statistics/intervals/series_interval.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "benchmarks/harness/statistics/describe/steadiness.h"
#include "benchmarks/harness/statistics/intervals/median_interval.h"

namespace assay::statistics {
namespace {

// With fewer values the autocorrelation is mostly chance.
constexpr size_t kDependenceCanBeTold = 20;

}  // namespace

absl::StatusOr<Interval> SeriesMedianInterval(absl::Span<const double> in_order,
                                              double confidence) {
  std::vector<double> sorted(in_order.begin(), in_order.end());
  std::sort(sorted.begin(), sorted.end());
  if (sorted.size() < kDependenceCanBeTold) return MedianInterval(sorted, confidence);
  const absl::StatusOr<Steadiness> series = AssessSteadiness(in_order);
  if (!series.ok()) return series.status();
  const absl::StatusOr<IntervalRanks> ranks =
      MedianIntervalRanks(static_cast<int64_t>(sorted.size()), confidence);
  if (!ranks.ok()) return ranks.status();
  const double n = static_cast<double>(sorted.size());
  const double middle = (n + 1) / 2;
  const double reach =
      (middle - static_cast<double>(ranks->low)) * std::sqrt(n / series->effective_samples);
  const double low = std::round(middle - reach);
  if (low < 1) {
    return absl::FailedPreconditionError(
        absl::StrFormat("%d samples that resemble their predecessors are worth %.1f, too few for "
                        "an interval of the median",
                        sorted.size(), series->effective_samples));
  }
  const size_t rank = static_cast<size_t>(low);
  return Interval{.low = sorted[rank - 1], .high = sorted[sorted.size() - rank]};
}

}  // namespace assay::statistics
