#include "benchmarks/harness/statistics/median_interval.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"

namespace assay::statistics {
namespace {

// P(Bin(n, 1/2) = k), by logarithms since 2^-n underflows from n = 1075 on.
double FairProbability(int64_t n, int64_t k) {
  return std::exp(std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0) -
                  static_cast<double>(n) * std::numbers::ln2);
}

// P(Bin(n, 1/2) <= k) for k below n/2, where each term is smaller than the one above it.
double FairTail(int64_t n, int64_t k) {
  double term = FairProbability(n, k), sum = term;
  for (int64_t i = k; i > 0 && term > 1e-18 * sum; --i) {
    term *= static_cast<double>(i) / static_cast<double>(n - i + 1);
    sum += term;
  }
  return sum;
}

}  // namespace

int64_t SamplesForMedianInterval(double confidence) {
  assert(confidence > 0 && confidence < 1);
  // The range of n samples misses the median with probability 2 * 2^-n.
  return static_cast<int64_t>(std::ceil(1 - std::log2(1 - confidence) - 1e-12));
}

absl::StatusOr<IntervalRanks> MedianIntervalRanks(int64_t samples, double confidence) {
  const int64_t needed = SamplesForMedianInterval(confidence);
  if (samples < needed) {
    return absl::FailedPreconditionError(absl::StrFormat(
        "the %g %% interval of the median needs %d samples, there are %d; take more samples",
        100 * confidence, needed, samples));
  }
  // A limit that a tail equals on paper must not be missed by rounding.
  const double limit = (1 - confidence) / 2 * (1 + 1e-9);
  // Eight standard deviations below the centre the tail is under 1e-15: a safe place to start.
  int64_t below = std::max<int64_t>(
      0, samples / 2 - static_cast<int64_t>(4 * std::sqrt(static_cast<double>(samples))) - 1);
  double tail = FairTail(samples, below), term = FairProbability(samples, below);
  while (true) {
    term *= static_cast<double>(samples - below) / static_cast<double>(below + 1);
    if (tail + term > limit) break;
    tail += term;
    ++below;
  }
  return IntervalRanks{.low = below + 1, .high = samples - below, .coverage = 1 - 2 * tail};
}

absl::StatusOr<Interval> MedianInterval(absl::Span<const double> sorted, double confidence) {
  assert(std::is_sorted(sorted.begin(), sorted.end()));
  const absl::StatusOr<IntervalRanks> ranks =
      MedianIntervalRanks(static_cast<int64_t>(sorted.size()), confidence);
  if (!ranks.ok()) return ranks.status();
  return Interval{.low = sorted[ranks->low - 1], .high = sorted[ranks->high - 1]};
}

}  // namespace assay::statistics
