#include "benchmarks/harness/statistics/intervals/quantile_interval.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "benchmarks/harness/statistics/describe/finite.h"

namespace assay::statistics {
namespace {

// P(Bin(n, p) = k) with q = 1 - p, by logarithms since p^n underflows.
double BinomialProbability(int64_t n, double p, double q, int64_t k) {
  return std::exp(std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0) +
                  static_cast<double>(k) * std::log(p) + static_cast<double>(n - k) * std::log(q));
}

// P(Bin(n, p) <= k) for k below the mode, where each term is smaller than the one above it.
double LowerTail(int64_t n, double p, double q, int64_t k) {
  double term = BinomialProbability(n, p, q, k), sum = term;
  for (int64_t i = k; i > 0 && term > 1e-18 * sum; --i) {
    term *= static_cast<double>(i) / static_cast<double>(n - i + 1) * (q / p);
    sum += term;
  }
  return sum;
}

struct Bound {
  int64_t rank;  // one-based
  double tail;   // P(Bin(n, p) <= rank - 1)
};

// The largest rank whose tail is at most `limit`. There is one: P(Bin = 0) <= limit.
Bound LowerBound(int64_t n, double p, double q, double limit) {
  // This far below the centre the tail is under 1e-14 (Bernstein): a safe place to start.
  const double sd = std::sqrt(static_cast<double>(n) * p * q);
  auto below = std::max<int64_t>(0, static_cast<int64_t>(static_cast<double>(n) * p - 8 * sd - 40));
  double tail = LowerTail(n, p, q, below), term = BinomialProbability(n, p, q, below);
  while (true) {
    term *= static_cast<double>(n - below) / static_cast<double>(below + 1) * (p / q);
    if (tail + term > limit) break;
    tail += term;
    ++below;
  }
  return {.rank = below + 1, .tail = tail};
}

}  // namespace

int64_t SamplesForQuantileInterval(double probability, double confidence) {
  assert(probability > 0 && probability < 1 && confidence > 0 && confidence < 1);
  // The range of n samples lies wholly on one side of the quantile with probability p^n.
  const double tail = std::max(probability, 1 - probability);
  const double exact = std::log((1 - confidence) / 2) / std::log(tail);
  return std::max<int64_t>(1, static_cast<int64_t>(std::ceil(exact - 1e-9)));
}

absl::StatusOr<IntervalRanks> QuantileIntervalRanks(int64_t samples, double probability,
                                                    double confidence) {
  if (absl::Status bad = CheckShare(probability, "the quantile's probability"); !bad.ok()) {
    return bad;
  }
  if (absl::Status bad = CheckShare(confidence, "the confidence"); !bad.ok()) return bad;
  const int64_t needed = SamplesForQuantileInterval(probability, confidence);
  if (samples < needed) {
    return absl::FailedPreconditionError(absl::StrFormat(
        "the %g %% interval of %s needs %d samples, there are %d; take more samples",
        100 * confidence,
        probability == 0.5 ? "the median" : absl::StrFormat("p%g", 100 * probability), needed,
        samples));
  }
  // A limit that a tail equals on paper must not be missed by rounding.
  const double limit = (1 - confidence) / 2 * (1 + 1e-9);
  const double other = 1 - probability;
  const Bound low = LowerBound(samples, probability, other, limit);
  // Seen from above, the p-quantile is a (1 - p)-quantile.
  const Bound high = LowerBound(samples, other, probability, limit);
  return IntervalRanks{
      .low = low.rank, .high = samples + 1 - high.rank, .coverage = 1 - low.tail - high.tail};
}

absl::StatusOr<Interval> QuantileInterval(absl::Span<const double> sorted, double probability,
                                          double confidence) {
  assert(std::is_sorted(sorted.begin(), sorted.end()));
  const absl::StatusOr<IntervalRanks> ranks =
      QuantileIntervalRanks(static_cast<int64_t>(sorted.size()), probability, confidence);
  if (!ranks.ok()) return ranks.status();
  return Interval{.low = sorted[ranks->low - 1], .high = sorted[ranks->high - 1]};
}

}  // namespace assay::statistics
