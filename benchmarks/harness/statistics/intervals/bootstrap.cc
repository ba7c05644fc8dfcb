#include "benchmarks/harness/statistics/intervals/bootstrap.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "benchmarks/harness/statistics/describe/finite.h"
#include "benchmarks/harness/statistics/describe/quantile.h"

namespace assay::statistics {
namespace {

using Statistic = absl::FunctionRef<double(absl::Span<const double>)>;

constexpr size_t kMostGroups = 1000;

double NormalQuantile(double p) {
  return boost::math::quantile(boost::math::normal_distribution<double>(), p);
}

double NormalProbability(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

// Statistics of resamples, ascending. The index is the high word of a product, and not the standard
// library's distribution, whose results differ between libraries.
std::vector<double> Replicates(absl::Span<const double> values, Statistic statistic,
                               const BootstrapOptions& options) {
  std::mt19937_64 random(options.seed);
  std::vector<double> resample(values.size()), replicates(options.resamples);
  for (double& replicate : replicates) {
    for (double& value : resample) {
      value = values[static_cast<size_t>(
          (static_cast<unsigned __int128>(random()) * values.size()) >> 64)];
    }
    replicate = statistic(resample);
  }
  std::sort(replicates.begin(), replicates.end());
  return replicates;
}

// The statistic with each value (or each of kMostGroups groups) left out in turn.
std::vector<double> Jackknife(absl::Span<const double> values, Statistic statistic) {
  const size_t groups = std::min(values.size(), kMostGroups);
  std::vector<double> rest(values.size()), results;
  results.reserve(groups);
  for (size_t group = 0; group < groups; ++group) {
    rest.clear();
    for (size_t i = 0; i < values.size(); ++i) {
      if (i % groups != group) rest.push_back(values[i]);
    }
    results.push_back(statistic(rest));
  }
  return results;
}

// A sixth of the skewness of the jackknife's influence values (Efron 1987, formula 7.3).
double Acceleration(absl::Span<const double> jackknife) {
  double mean = 0;
  for (const double v : jackknife) mean += v / static_cast<double>(jackknife.size());
  double scale = 0;  // cubes of small numbers underflow
  for (const double v : jackknife) scale = std::max(scale, std::abs(mean - v));
  if (scale == 0) return 0;
  double squares = 0, cubes = 0;
  for (const double v : jackknife) {
    const double influence = (mean - v) / scale;
    squares += influence * influence;
    cubes += influence * influence * influence;
  }
  return cubes / (6 * std::pow(squares, 1.5));
}

// z of the share of replicates below the estimate, half of those that equal it counted in.
double BiasCorrection(absl::Span<const double> replicates, double estimate) {
  const auto [first, last] = std::equal_range(replicates.begin(), replicates.end(), estimate);
  const auto n = static_cast<double>(replicates.size());
  const double below = (static_cast<double>(first - replicates.begin()) +
                        static_cast<double>(last - replicates.begin())) /
                       2;
  return NormalQuantile(std::clamp(below, 0.5, n - 0.5) / n);
}

// The place in the bootstrap distribution of the end whose normal quantile would be z.
double AdjustedProbability(double bias, double acceleration, double z) {
  const double denominator = 1 - acceleration * (bias + z);
  if (denominator <= 0) return bias + z > 0 ? 1 : 0;
  return NormalProbability(bias + (bias + z) / denominator);
}

absl::Status CheckArguments(absl::Span<const double> values, const BootstrapOptions& options) {
  if (absl::Status bad = CheckShare(options.confidence, "the confidence"); !bad.ok()) return bad;
  if (options.resamples < 100) {
    return absl::InvalidArgumentError(
        absl::StrFormat("the bootstrap needs 100 resamples or more, not %d", options.resamples));
  }
  return CheckValues(values, 2, "the bootstrap");
}

}  // namespace

absl::StatusOr<Interval> BcaInterval(absl::Span<const double> values, Statistic statistic,
                                     const BootstrapOptions& options) {
  if (absl::Status bad = CheckArguments(values, options); !bad.ok()) return bad;
  const double estimate = statistic(values);
  const std::vector<double> replicates = Replicates(values, statistic, options);
  const std::vector<double> jackknife = Jackknife(values, statistic);
  if (!std::isfinite(estimate) || !AllFinite(replicates) || !AllFinite(jackknife)) {
    return absl::InvalidArgumentError(
        "the bootstrapped statistic is not finite for some resample; is it defined for repeated "
        "values?");
  }
  if (replicates.front() == replicates.back()) {
    return Interval{.low = replicates.front(), .high = replicates.front()};
  }
  const double bias = BiasCorrection(replicates, estimate);
  const double acceleration = Acceleration(jackknife);
  const double z = NormalQuantile((1 + options.confidence) / 2);
  return Interval{.low = Quantile(replicates, AdjustedProbability(bias, acceleration, -z)),
                  .high = Quantile(replicates, AdjustedProbability(bias, acceleration, z))};
}

}  // namespace assay::statistics
