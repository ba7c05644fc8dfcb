#include "benchmarks/harness/statistics/tests/t_tests.h"

#include <algorithm>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/polygamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "benchmarks/harness/statistics/describe/finite.h"
#include "benchmarks/harness/statistics/describe/moments.h"
#include "benchmarks/harness/statistics/describe/quantile.h"
#include "benchmarks/harness/statistics/intervals/student.h"

namespace assay::statistics {
namespace {

struct MeanAndVariance {
  double mean, variance;
};

// Equal values have their own value as mean and no variance, whatever rounding makes of the sums.
MeanAndVariance Describe(absl::Span<const double> values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  if (*low == *high) return {*low, 0};
  const double sd = StandardDeviation(values);
  return {Mean(values), sd * sd};
}

TTest Test(double estimate, double standard_error, double degrees_of_freedom, double confidence) {
  TTest test;
  test.estimate = estimate;
  test.standard_error = standard_error;
  test.degrees_of_freedom = degrees_of_freedom;
  if (standard_error == 0) {
    const double infinite = std::copysign(std::numeric_limits<double>::infinity(), estimate);
    test.statistic = estimate == 0 ? 0 : infinite;
    test.p_value = estimate == 0 ? 1 : 0;
    test.interval = {.low = estimate, .high = estimate};
    return test;
  }
  const double reach = CriticalT(1 - confidence, degrees_of_freedom) * standard_error;
  test.statistic = estimate / standard_error;
  test.p_value = TwoSidedP(test.statistic, degrees_of_freedom);
  test.interval = {.low = estimate - reach, .high = estimate + reach};
  return test;
}

// The x with trigamma(x) = y, by the iteration of Smyth 2004, appendix: convex and monotone, so it
// converges from below without safeguards.
double InverseTrigamma(double y) {
  if (y > 1e7) return 1 / std::sqrt(y);
  if (y < 1e-6) return 1 / y;
  double x = 0.5 + 1 / y;
  for (int i = 0; i < 50; ++i) {
    const double trigamma = boost::math::trigamma(x);
    const double step = trigamma * (1 - trigamma / y) / boost::math::polygamma(2, x);
    x += step;
    if (-step / x < 1e-12) break;
  }
  return x;
}

absl::Status CheckVariances(absl::Span<const double> variances, double degrees_of_freedom_each) {
  absl::Status bad = CheckValues(variances, 2, "fitting a variance prior");
  if (!bad.ok()) return bad;
  if (!(degrees_of_freedom_each > 0) || std::isinf(degrees_of_freedom_each)) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "fitting a variance prior: %g degrees of freedom each; there must be more than 0",
        degrees_of_freedom_each));
  }
  const double least = *std::min_element(variances.begin(), variances.end());
  if (least >= 0) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrFormat("fitting a variance prior: a variance is %g, below 0", least));
}

}  // namespace

absl::StatusOr<TTest> PairedT(absl::Span<const double> differences, double confidence) {
  return ModeratedPairedT(differences, VariancePrior{}, confidence);
}

absl::StatusOr<TTest> WelchT(absl::Span<const double> x, absl::Span<const double> y,
                             double confidence) {
  if (absl::Status bad = CheckShare(confidence, "the confidence"); !bad.ok()) return bad;
  for (const auto& side : {x, y}) {
    if (absl::Status bad = CheckValues(side, 2, "either side of Welch's t test"); !bad.ok()) {
      return bad;
    }
  }
  const MeanAndVariance of_x = Describe(x), of_y = Describe(y);
  const double n = static_cast<double>(x.size()), m = static_cast<double>(y.size());
  const double share_x = of_x.variance / n, share_y = of_y.variance / m, sum = share_x + share_y;
  // As shares of the sum, since squares of tiny variances underflow.
  const double a = share_x / sum, b = share_y / sum;
  const double degrees_of_freedom = sum == 0 ? n + m - 2 : 1 / (a * a / (n - 1) + b * b / (m - 1));
  return Test(of_y.mean - of_x.mean, std::sqrt(sum), degrees_of_freedom, confidence);
}

absl::StatusOr<VariancePrior> FitVariancePrior(absl::Span<const double> variances,
                                               double degrees_of_freedom_each) {
  if (absl::Status bad = CheckVariances(variances, degrees_of_freedom_each); !bad.ok()) return bad;
  std::vector<double> sorted(variances.begin(), variances.end());
  std::sort(sorted.begin(), sorted.end());
  const double median = Median(sorted);
  if (median == 0) {
    return absl::FailedPreconditionError(
        "fitting a variance prior: half of the variances are 0; the clock is too coarse or the "
        "cases too short");
  }
  const double half = degrees_of_freedom_each / 2;
  std::vector<double> logs;
  logs.reserve(sorted.size());
  for (const double v : sorted) {
    logs.push_back(std::log(std::max(v, 1e-5 * median)) - boost::math::digamma(half) +
                   std::log(half));
  }
  const MeanAndVariance of_logs = Describe(logs);
  const double excess = of_logs.variance - boost::math::trigamma(half);
  if (excess <= 0) {
    return VariancePrior{.degrees_of_freedom = std::numeric_limits<double>::infinity(),
                         .variance = std::exp(of_logs.mean)};
  }
  const double half_prior = InverseTrigamma(excess);
  return VariancePrior{
      .degrees_of_freedom = 2 * half_prior,
      .variance = std::exp(of_logs.mean + boost::math::digamma(half_prior) - std::log(half_prior))};
}

absl::StatusOr<TTest> ModeratedPairedT(absl::Span<const double> differences,
                                       const VariancePrior& prior, double confidence) {
  if (absl::Status bad = CheckShare(confidence, "the confidence"); !bad.ok()) return bad;
  if (absl::Status bad = CheckValues(differences, 2, "the paired t test"); !bad.ok()) return bad;
  const bool informative = prior.degrees_of_freedom > 0;
  if (!(prior.degrees_of_freedom >= 0) ||
      (informative && !(prior.variance > 0 && std::isfinite(prior.variance)))) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "the variance prior has %g degrees of freedom and variance %g; both must be above 0",
        prior.degrees_of_freedom, prior.variance));
  }
  const MeanAndVariance seen = Describe(differences);
  const double own = static_cast<double>(differences.size() - 1);
  // Written as a weight, so that an infinite prior gives its own variance and not inf / inf.
  const double weight = informative ? 1 / (1 + own / prior.degrees_of_freedom) : 0;
  const double variance = weight * prior.variance + (1 - weight) * seen.variance;
  return Test(seen.mean, std::sqrt(variance / (own + 1)), own + prior.degrees_of_freedom,
              confidence);
}

}  // namespace assay::statistics
