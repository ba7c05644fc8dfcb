#include "benchmarks/harness/sampling/stop_rule.h"

#include <algorithm>
#include <cstdlib>

#include "absl/status/statusor.h"
#include "benchmarks/harness/statistics/intervals/median_interval.h"

namespace assay::sampling {

namespace {

constexpr int64_t kManySamples = 10'000;

}  // namespace

std::string_view StopReasonName(StopReason reason) {
  switch (reason) {
    case StopReason::kPrecise:
      return "precise";
    case StopReason::kBudget:
      return "budget";
    case StopReason::kSampleCount:
      return "sample_count";
    case StopReason::kLogFull:
      return "log_full";
    case StopReason::kInterrupted:
      return "interrupted";
  }
  std::abort();
}

void PrecisionRule::Start(int64_t max_samples) {
  next_look_ = std::max(options_.min_samples, statistics::SamplesForMedianInterval());
  min_time_ns_ = absl::ToDoubleNanoseconds(options_.min_time);
  budget_ns_ = absl::ToDoubleNanoseconds(options_.budget);
  last_elapsed_ns_ = 0;
  scratch_.assign(static_cast<size_t>(max_samples), 0);
}

std::optional<StopReason> PrecisionRule::Check(const SampleLog& log, int64_t elapsed_ns) {
  const double so_far_ns = static_cast<double>(elapsed_ns);
  if (log.size() >= next_look_ && so_far_ns >= min_time_ns_) {
    next_look_ = log.size() < kManySamples ? log.size() + (log.size() + 3) / 4 : 2 * log.size();
    if (IsNarrow(log)) return StopReason::kPrecise;
  }
  // Takes one more sample only if that, by the length of the last one, exceeds the budget by less
  // than a fiftieth.
  const double last_ns = log.size() == 1 ? static_cast<double>(log.samples().back().duration_ns)
                                         : so_far_ns - last_elapsed_ns_;
  last_elapsed_ns_ = so_far_ns;
  if (so_far_ns + last_ns > options_.most_budgets * budget_ns_) return StopReason::kBudget;
  if (log.size() < options_.min_samples_in_budget) return std::nullopt;
  return so_far_ns >= budget_ns_ || so_far_ns + last_ns > 1.02 * budget_ns_
             ? std::optional(StopReason::kBudget)
             : std::nullopt;
}

bool PrecisionRule::IsNarrow(const SampleLog& log) {
  const absl::StatusOr<statistics::IntervalRanks> ranks =
      statistics::MedianIntervalRanks(log.size());
  if (!ranks.ok()) return false;
  const auto first = scratch_.begin();
  const auto last = std::transform(log.samples().begin(), log.samples().end(), first,
                                   [](const Sample& sample) { return sample.duration_ns; });
  // Three selections instead of a sort; each searches only the samples above the rank before it.
  // From 6 samples on the three ranks differ.
  const auto low = first + (ranks->low - 1);
  const auto middle = first + log.size() / 2;
  const auto high = first + (ranks->high - 1);
  std::nth_element(first, low, last);
  std::nth_element(low + 1, middle, last);
  std::nth_element(middle + 1, high, last);
  const double half_width = static_cast<double>(*high - *low) / 2;
  return half_width <= options_.relative_half_width * static_cast<double>(*middle);
}

std::optional<StopReason> SampleCountRule::Check(const SampleLog& log, int64_t) {
  return log.size() >= samples_ ? std::optional(StopReason::kSampleCount) : std::nullopt;
}

}  // namespace assay::sampling
