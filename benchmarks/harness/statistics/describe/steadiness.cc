#include "benchmarks/harness/statistics/describe/steadiness.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "absl/status/status.h"
#include "benchmarks/harness/statistics/describe/finite.h"
#include "benchmarks/harness/statistics/describe/moments.h"
#include "benchmarks/harness/statistics/describe/quantile.h"

namespace assay::statistics {
namespace {

// Pairs i < j with values[i] > values[j]; sorts the values. Merge sort from the bottom up.
double CountInversions(std::vector<double>& values) {
  std::vector<double> merged(values.size());
  double inversions = 0;
  for (size_t run = 1; run < values.size(); run *= 2) {
    for (size_t begin = 0; begin < values.size(); begin += 2 * run) {
      const size_t middle = std::min(begin + run, values.size());
      const size_t end = std::min(begin + 2 * run, values.size());
      size_t left = begin, right = middle;
      for (size_t out = begin; out < end; ++out) {
        if (left < middle && (right == end || values[left] <= values[right])) {
          merged[out] = values[left++];
        } else {
          inversions += static_cast<double>(middle - left);
          merged[out] = values[right++];
        }
      }
    }
    values.swap(merged);
  }
  return inversions;
}

struct Ties {
  double pairs = 0;     // of equal values
  double variance = 0;  // what they take from 18 times the variance of Kendall's sum
};

Ties CountTies(absl::Span<const double> sorted) {
  Ties ties;
  for (size_t begin = 0, end = 0; begin < sorted.size(); begin = end) {
    while (end < sorted.size() && sorted[end] == sorted[begin]) ++end;
    const auto t = static_cast<double>(end - begin);
    ties.pairs += t * (t - 1) / 2;
    ties.variance += t * (t - 1) * (2 * t + 5);
  }
  return ties;
}

// `values` in order on entry, ascending on return.
double MannKendallP(std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  const double inversions = CountInversions(values);
  const Ties ties = CountTies(values);
  const double sum = n * (n - 1) / 2 - ties.pairs - 2 * inversions;
  const double variance = (n * (n - 1) * (2 * n + 5) - ties.variance) / 18;
  if (variance <= 0) return 1;
  const double z = std::max(0.0, std::abs(sum) - 1) / std::sqrt(variance);
  return std::erfc(z / std::sqrt(2.0));
}

// The centres of the outer thirds are n - third steps apart; the whole series is n - 1 long.
double ResistantChange(absl::Span<const double> in_order) {
  const size_t n = in_order.size(), third = n / 3;
  const double rise = MedianOf({in_order.end() - third, in_order.end()}) -
                      MedianOf({in_order.begin(), in_order.begin() + third});
  return rise * static_cast<double>(n - 1) / static_cast<double>(n - third);
}

double Lag1Autocorrelation(absl::Span<const double> in_order) {
  const double mean = Mean(in_order);
  double products = 0, squares = 0;
  for (size_t i = 0; i < in_order.size(); ++i) {
    const double distance = in_order[i] - mean;
    squares += distance * distance;
    if (i > 0) products += distance * (in_order[i - 1] - mean);
  }
  return squares > 0 ? products / squares : 0;
}

}  // namespace

absl::StatusOr<Steadiness> AssessSteadiness(absl::Span<const double> in_order) {
  if (absl::Status bad = CheckValues(in_order, 8, "the steadiness check"); !bad.ok()) return bad;
  const auto n = static_cast<double>(in_order.size());
  std::vector<double> values(in_order.begin(), in_order.end());
  Steadiness result;
  result.effective_samples = n;
  result.trend_p_value = MannKendallP(values);
  if (values.front() == values.back()) return result;
  if (const double median = Median(values); median != 0) {
    result.slope_share = ResistantChange(in_order) / std::abs(median);
  }
  result.lag1_autocorrelation = Lag1Autocorrelation(in_order);
  const double r = std::max(0.0, result.lag1_autocorrelation);
  result.effective_samples = std::max(1.0, n * (1 - r) / (1 + r));
  return result;
}

}  // namespace assay::statistics
