#include "benchmarks/harness/statistics/tests/signed_rank.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "benchmarks/harness/statistics/describe/finite.h"
#include "benchmarks/harness/statistics/intervals/student.h"

namespace assay::statistics {
namespace {

// A distance from 0, and whether its rank is summed: that of a positive difference is.
struct Marked {
  double value;
  bool counted;
};

struct Ranks {
  std::vector<int64_t> doubled;  // mid-ranks times two, ascending; empty where no one asked
  int64_t doubled_sum = 0;       // of the counted ones
  double ties = 0;               // sum of t^3 - t over groups of equal values
};

Ranks RankAll(std::vector<Marked>& values, bool keep) {
  std::sort(values.begin(), values.end(),
            [](const Marked& a, const Marked& b) { return a.value < b.value; });
  Ranks ranks;
  for (size_t begin = 0, end = 0; begin < values.size(); begin = end) {
    int64_t counted = 0;
    for (end = begin; end < values.size() && values[end].value == values[begin].value; ++end) {
      counted += values[end].counted;
    }
    const auto doubled = static_cast<int64_t>(begin + 1 + end),
               size = static_cast<int64_t>(end - begin);
    ranks.doubled_sum += counted * doubled;
    const auto t = static_cast<double>(size);
    ranks.ties += t * (t * t - 1);
    if (keep) ranks.doubled.insert(ranks.doubled.end(), end - begin, doubled);
  }
  return ranks;
}

// The share of `ways` whose index is at least as far from `centre` as `seen`. Indices are doubled
// rank sums, so the distances are exact.
double ShareAsFar(const std::vector<double>& ways, double centre, double seen) {
  double all = 0, as_far = 0;
  for (size_t sum = 0; sum < ways.size(); ++sum) {
    all += ways[sum];
    if (std::abs(static_cast<double>(sum) - centre) >= std::abs(seen - centre)) as_far += ways[sum];
  }
  return as_far / all;
}

// In how many ways any of the ranks give each sum.
std::vector<double> WaysToSign(const std::vector<int64_t>& ranks) {
  std::vector<double> ways = {1};
  for (const int64_t rank : ranks) {
    std::vector<double> next = ways;
    next.resize(ways.size() + rank, 0.0);
    for (size_t sum = 0; sum < ways.size(); ++sum) next[sum + rank] += ways[sum];
    ways = std::move(next);
  }
  return ways;
}

double NormalP(double distance, double variance) {
  if (variance <= 0) return 1;  // all values equal
  const double z = std::max(0.0, std::abs(distance) - 0.5) / std::sqrt(variance);
  return TwoSidedP(z, std::numeric_limits<double>::infinity());
}

absl::StatusOr<bool> WantsExact(Method method, int64_t values) {
  if (method != Method::kExact) return method == Method::kAuto && values <= kAutoExactValues;
  if (values <= kMostExactValues) return true;
  return absl::InvalidArgumentError(
      absl::StrFormat("an exact rank test takes at most %d values, there are %d; use the normal "
                      "approximation, which is as good as exact there",
                      kMostExactValues, values));
}

}  // namespace

absl::StatusOr<RankTest> SignedRank(absl::Span<const double> differences, Method method) {
  if (absl::Status bad = CheckValues(differences, 1, "the signed rank test"); !bad.ok()) return bad;
  std::vector<Marked> values;
  values.reserve(differences.size());
  for (const double d : differences) {
    if (d != 0) values.push_back({std::abs(d), d > 0});
  }
  const absl::StatusOr<bool> exact = WantsExact(method, static_cast<int64_t>(values.size()));
  if (!exact.ok()) return exact.status();
  const Ranks ranks = RankAll(values, *exact);
  const auto n = static_cast<double>(values.size());
  const auto sum = static_cast<double>(ranks.doubled_sum);
  RankTest test{.statistic = sum / 2, .exact = *exact};
  if (*exact) {
    test.p_value = ShareAsFar(WaysToSign(ranks.doubled), n * (n + 1) / 2, sum);
  } else {
    const double variance = n * (n + 1) * (2 * n + 1) / 24 - ranks.ties / 48;
    test.p_value = NormalP(test.statistic - n * (n + 1) / 4, variance);
  }
  return test;
}

}  // namespace assay::statistics
