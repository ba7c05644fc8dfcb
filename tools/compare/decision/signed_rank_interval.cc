#include "tools/compare/decision/signed_rank_interval.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <vector>

#include "absl/strings/str_format.h"

namespace assay::compare {
namespace {

constexpr int64_t kExactUpTo = 300;

// The probability of each sum of ranks when each sign is a fair coin; the lower half suffices.
std::vector<double> LowerHalfOfRankSums(int64_t values) {
  const int64_t half = values * (values + 1) / 4;
  std::vector<double> probability(half + 1, 0.0);
  probability[0] = 1;
  for (int64_t rank = 1; rank <= values; ++rank) {
    for (int64_t sum = half; sum >= 0; --sum) {
      const double without = probability[sum];
      probability[sum] = 0.5 * (without + (sum >= rank ? probability[sum - rank] : 0.0));
    }
  }
  return probability;
}

int64_t NormalRank(int64_t values, double confidence) {
  const double n = static_cast<double>(values);
  const double z = boost::math::quantile(boost::math::normal(), 0.5 + 0.5 * confidence);
  const double mean = n * (n + 1) / 4;
  const double deviation = std::sqrt(n * (n + 1) * (2 * n + 1) / 24);
  return static_cast<int64_t>(std::floor(mean - 0.5 - z * deviation)) + 1;
}

}  // namespace

int64_t SignedRankIntervalRank(int64_t values, double confidence) {
  if (values > kExactUpTo) return NormalRank(values, confidence);
  const std::vector<double> probability = LowerHalfOfRankSums(values);
  int64_t rank = 0;
  double below = 0;
  for (const double p : probability) {
    below += p;
    if (2 * below > (1 - confidence) * (1 + 1e-12)) break;
    ++rank;
  }
  return rank;
}

absl::StatusOr<statistics::Interval> SignedRankInterval(absl::Span<const double> values,
                                                        double confidence) {
  const int64_t n = static_cast<int64_t>(values.size());
  const int64_t rank = SignedRankIntervalRank(n, confidence);
  if (rank < 1) {
    return absl::FailedPreconditionError(
        absl::StrFormat("%d pairs are too few for a %.3g %% interval", n, confidence * 100));
  }
  std::vector<double> averages;
  averages.reserve(n * (n + 1) / 2);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = i; j < n; ++j) averages.push_back(0.5 * (values[i] + values[j]));
  }
  const auto low = averages.begin() + (rank - 1);
  std::nth_element(averages.begin(), low, averages.end());
  const double low_value = *low;
  const auto high = averages.end() - rank;
  std::nth_element(averages.begin(), high, averages.end());
  return statistics::Interval{low_value, *high};
}

}  // namespace assay::compare
