#include "benchmarks/harness/statistics/describe/modality.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>

#include "absl/status/status.h"
#include "benchmarks/harness/statistics/describe/finite.h"
#include "benchmarks/harness/statistics/describe/quantile.h"

namespace assay::statistics {
namespace {

constexpr int64_t kFewest = 30;
constexpr double kTrimmedShare = 0.05, kLeastShare = 0.125;
constexpr double kTickClose = 0.1;  // values nearer than this, relative to the lower, are ticks

// The first index of the upper part: where the variance between the parts is largest, at a step
// between different values. 0 when there is none.
size_t BestCut(absl::Span<const double> sorted, size_t first, size_t last) {
  const double origin = sorted[0];  // against cancellation
  double total = 0;
  for (const double v : sorted) total += v - origin;
  const auto n = static_cast<double>(sorted.size());
  double below = 0, best = 0;
  size_t cut = 0;
  for (size_t i = 1; i < sorted.size() && i <= last; ++i) {
    below += sorted[i - 1] - origin;
    if (i < first || sorted[i] == sorted[i - 1]) continue;
    const auto left = static_cast<double>(i);
    const double gap = (total - below) / (n - left) - below / left;
    const double between = left * (n - left) * gap * gap;
    if (between > best) {
      best = between;
      cut = i;
    }
  }
  return cut;
}

struct Part {
  double mean, variance;
  size_t different;  // values
};

Part PartOf(absl::Span<const double> sorted) {
  const auto n = static_cast<double>(sorted.size());
  double sum = 0, squares = 0;
  size_t different = 1;
  for (size_t i = 0; i < sorted.size(); ++i) {
    sum += sorted[i] - sorted[0];
    different += i > 0 && sorted[i] != sorted[i - 1];
  }
  for (const double v : sorted) {
    squares += (v - sorted[0] - sum / n) * (v - sorted[0] - sum / n);
  }
  return {sorted[0] + sum / n, squares / n, different};
}

// The mean of the values that lie at one end of a part, up to the first gap wider than `gap`.
double NearestHeap(absl::Span<const double> sorted, bool from_above, double gap) {
  double sum = 0;
  size_t count = 0;
  double previous = from_above ? sorted.back() : sorted.front();
  for (size_t i = 0; i < sorted.size(); ++i) {
    const double v = sorted[from_above ? sorted.size() - 1 - i : i];
    if (std::abs(v - previous) > gap) break;
    previous = v;
    sum += v;
    ++count;
  }
  return sum / static_cast<double>(count);
}

// The clock's tick, if the cut runs between two neighbouring ticks; else 0.
double TickAtCut(absl::Span<const double> low, absl::Span<const double> high, size_t different) {
  // Values of a fine clock seldom repeat.
  if (3 * different > low.size() + high.size()) return 0;
  const double gap = high.front() - low.back();
  const double lower = NearestHeap(low, true, gap / 4);
  const double tick = NearestHeap(high, false, gap / 4) - lower;
  if (std::abs(tick) < kTickClose * std::abs(lower)) return tick;
  const double ticks = lower / tick;
  return std::abs(ticks - std::round(ticks)) < 0.15 ? tick : 0;
}

}  // namespace

absl::StatusOr<Modality> AssessModality(absl::Span<const double> sorted) {
  assert(std::is_sorted(sorted.begin(), sorted.end()));
  if (absl::Status bad = CheckValues(sorted, kFewest, "the modality check"); !bad.ok()) return bad;
  const auto n = static_cast<double>(sorted.size());
  const auto trimmed = static_cast<size_t>(std::ceil(kTrimmedShare * n));
  const absl::Span<const double> core = sorted.subspan(trimmed, sorted.size() - 2 * trimmed);
  const auto least = std::max<size_t>(5, static_cast<size_t>(std::ceil(kLeastShare * n))) - trimmed;
  const size_t cut = BestCut(core, least, core.size() - least);
  Modality result;
  if (cut == 0) {
    result.low_mode = result.high_mode = Median(sorted);
    result.low_share = 1;
    return result;
  }
  const Part low = PartOf(core.subspan(0, cut)), high = PartOf(core.subspan(cut));
  const double tick =
      TickAtCut(core.subspan(0, cut), core.subspan(cut), low.different + high.different);
  // A uniform spread over one tick has variance tick^2 / 12.
  const double spread = std::sqrt((low.variance + high.variance) / 2 + tick * tick / 12);
  const double distance = high.mean - low.mean;
  // Parts without any spread: as far apart as can be told.
  result.score = distance / std::max(spread, 1e-9 * distance);
  result.low_mode = Median(sorted.subspan(0, trimmed + cut));
  result.high_mode = Median(sorted.subspan(trimmed + cut));
  result.low_share = static_cast<double>(trimmed + cut) / n;
  // Not 1 - low_share: that of 80 in 100 is less than a fifth.
  result.high_share = (n - static_cast<double>(trimmed + cut)) / n;
  if (result.low_mode != 0) {
    result.separation = (result.high_mode - result.low_mode) / std::abs(result.low_mode);
  }
  result.bimodal = result.score > 4.5 + 30 / std::sqrt(n);
  return result;
}

}  // namespace assay::statistics
