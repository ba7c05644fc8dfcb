#include "tools/compare/decision/decision.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

#include "absl/status/status.h"
#include "benchmarks/harness/statistics/describe/location.h"
#include "benchmarks/harness/statistics/describe/moments.h"
#include "benchmarks/harness/statistics/describe/quantile.h"
#include "benchmarks/harness/statistics/intervals/bootstrap.h"
#include "benchmarks/harness/statistics/tests/equivalence.h"
#include "benchmarks/harness/statistics/tests/power.h"
#include "benchmarks/harness/statistics/tests/signed_rank.h"
#include "benchmarks/harness/statistics/tests/t_tests.h"
#include "tools/compare/decision/signed_rank_interval.h"

namespace assay::compare {
namespace {

using statistics::Interval;
using Series = std::vector<double>;

constexpr int64_t kSeriesForPrior = 10;
// Resamples of fewer values are too alike, so the interval would always be too narrow.
constexpr int64_t kPairsForBootstrap = 10;

double RobustSd(const Series& values) {
  const double center = statistics::MedianOf(values);
  Series deviations;
  for (const double value : values) deviations.push_back(std::abs(value - center));
  return 1.4826 * statistics::MedianOf(std::move(deviations));
}

void UseTTest(const statistics::TTest& test, const InterimLevels& levels, Estimate& estimate) {
  estimate.log_ratio = test.estimate;
  estimate.interval = test.interval;
  estimate.p_value = test.p_value;
  estimate.same_interval =
      statistics::TwoOneSidedTests(test.estimate, test.standard_error, test.degrees_of_freedom,
                                   /*margin=*/1, levels.equivalence)
          .interval;
}

bool UseSignedRank(const Series& series, const InterimLevels& levels, Estimate& estimate) {
  const absl::StatusOr<Interval> interval = SignedRankInterval(series, 1 - levels.difference);
  const absl::StatusOr<Interval> same = SignedRankInterval(series, 1 - 2 * levels.equivalence);
  if (!interval.ok() || !same.ok()) return false;
  estimate.log_ratio = statistics::HodgesLehmann(series);
  estimate.interval = *interval;
  estimate.same_interval = *same;
  const absl::StatusOr<statistics::RankTest> test = statistics::SignedRank(
      series, series.size() <= 120 ? statistics::Method::kExact : statistics::Method::kNormal);
  estimate.p_value = test.ok() ? test->p_value : 1;  // no test: every pair was exactly even
  return true;
}

void AddSecondOpinion(const Series& series, uint64_t seed, const InterimLevels& levels,
                      Estimate& estimate) {
  statistics::BootstrapOptions options;
  options.confidence = 1 - levels.difference;
  options.resamples = 2000;
  options.seed = seed;
  const auto statistic = [&](absl::Span<const double> values) {
    return estimate.method == Method::kSignedRank ? statistics::HodgesLehmann(values)
                                                  : statistics::Mean(values);
  };
  const absl::StatusOr<Interval> bootstrap = statistics::BcaInterval(series, statistic, options);
  if (!bootstrap.ok()) return;
  estimate.bootstrap = *bootstrap;
  const double width = estimate.interval.high - estimate.interval.low;
  estimate.opinions_differ = std::abs(bootstrap->low - estimate.interval.low) > 0.25 * width ||
                             std::abs(bootstrap->high - estimate.interval.high) > 0.25 * width;
}

// The evidence of the series about each other's variance. Each gives as many pairs as all have, so that a
// series that was decided early still counts.
absl::StatusOr<statistics::VariancePrior> PriorOf(absl::Span<const Series> all) {
  size_t pairs = std::numeric_limits<size_t>::max();
  for (const Series& series : all) {
    if (series.size() >= 2) pairs = std::min(pairs, series.size());
  }
  Series variances;
  for (const Series& series : all) {
    if (series.size() < pairs) continue;
    const double sd = statistics::StandardDeviation(absl::MakeConstSpan(series).first(pairs));
    if (sd > 0) variances.push_back(sd * sd);
  }
  if (static_cast<int64_t>(variances.size()) < kSeriesForPrior) {
    return absl::FailedPreconditionError("too few series for a prior");
  }
  return statistics::FitVariancePrior(variances, static_cast<double>(pairs - 1));
}

absl::StatusOr<Estimate> EstimateOne(const Series& series, absl::Span<const Series> all,
                                     const DecisionRules& rules) {
  const InterimLevels levels = LevelsOf(rules);
  Estimate estimate;
  estimate.pairs = static_cast<int64_t>(series.size());
  estimate.sd = statistics::StandardDeviation(series);
  estimate.robust_sd = RobustSd(series);
  estimate.method = ChooseMethod(estimate.pairs, all.size(), rules);
  if (estimate.method == Method::kSignedRank && UseSignedRank(series, levels, estimate)) {
    return estimate;
  }
  estimate.method = Method::kPairedT;
  absl::StatusOr<statistics::TTest> test = statistics::PairedT(series, 1 - levels.difference);
  if (const auto prior = PriorOf(all); prior.ok()) {
    estimate.method = Method::kModeratedT;
    test = statistics::ModeratedPairedT(series, *prior, 1 - levels.difference);
  }
  if (!test.ok()) return test.status();
  UseTTest(*test, levels, estimate);
  return estimate;
}

}  // namespace

std::string_view ConclusionName(Conclusion verdict) {
  switch (verdict) {
    case Conclusion::kFaster:
      return "FASTER";
    case Conclusion::kSlower:
      return "SLOWER";
    case Conclusion::kSame:
      return "SAME";
    case Conclusion::kInconclusive:
      return "INCONCLUSIVE";
    case Conclusion::kNotCompared:
      return "NOT_COMPARED";
  }
  return "";
}

std::string_view MethodName(Method method) {
  switch (method) {
    case Method::kSignedRank:
      return "signed rank";
    case Method::kModeratedT:
      return "moderated t";
    case Method::kPairedT:
      return "paired t";
    case Method::kWelchT:
      return "Welch t";
  }
  return "";
}

InterimLevels LevelsOf(const DecisionRules& rules) {
  const bool strict = rules.error_rate == kStrictErrorRate;
  if (rules.looks <= 1) return {.difference = strict ? 0.005 : 0.05, .equivalence = 0.05};
  if (rules.looks == 2) return {.difference = strict ? 0.00274 : 0.0294, .equivalence = 0.0304};
  return {.difference = strict ? 0.00198 : 0.0221, .equivalence = 0.0232};
}

Method ChooseMethod(int64_t pairs, int64_t series, const DecisionRules& rules) {
  const double smallest_p = std::ldexp(1.0, static_cast<int>(1 - std::min<int64_t>(pairs, 1000)));
  const double needed = LevelsOf(rules).difference / (10.0 * std::max<int64_t>(series, 1));
  if (smallest_p <= needed) return Method::kSignedRank;
  return series >= kSeriesForPrior ? Method::kModeratedT : Method::kPairedT;
}

std::vector<std::optional<Estimate>> EstimateAll(absl::Span<const Series> series,
                                                 const DecisionRules& rules,
                                                 std::optional<uint64_t> bootstrap_seed,
                                                 const std::vector<bool>& wanted) {
  std::vector<std::optional<Estimate>> estimates(series.size());
  for (size_t i = 0; i < series.size(); ++i) {
    if (series[i].size() < 2 || (!wanted.empty() && !wanted[i])) continue;
    absl::StatusOr<Estimate> estimate = EstimateOne(series[i], series, rules);
    if (!estimate.ok()) continue;
    if (bootstrap_seed.has_value() && estimate->pairs >= kPairsForBootstrap) {
      AddSecondOpinion(series[i], *bootstrap_seed + i, LevelsOf(rules), *estimate);
    }
    estimates[i] = *std::move(estimate);
  }
  return estimates;
}

absl::StatusOr<Estimate> EstimateUnpaired(absl::Span<const double> baseline,
                                          absl::Span<const double> candidate,
                                          const DecisionRules& rules) {
  const InterimLevels levels = LevelsOf(rules);
  const absl::StatusOr<statistics::TTest> test =
      statistics::WelchT(baseline, candidate, 1 - levels.difference);
  if (!test.ok()) return test.status();
  Estimate estimate;
  estimate.method = Method::kWelchT;
  estimate.pairs = static_cast<int64_t>(std::min(baseline.size(), candidate.size()));
  UseTTest(*test, levels, estimate);
  estimate.sd = test->standard_error * std::sqrt(static_cast<double>(estimate.pairs));
  estimate.robust_sd = estimate.sd;
  return estimate;
}

Conclusion Decide(const Estimate& estimate, double q_value, const DecisionRules& rules) {
  // Both bounds as logarithms of 1 + share, so that swapping the sides mirrors the verdict.
  const double effect = std::log1p(rules.smallest_effect);
  const double same = std::log1p(rules.same_within);
  if (q_value <= LevelsOf(rules).difference) {
    if (estimate.interval.low > effect) return Conclusion::kSlower;
    if (estimate.interval.high < -effect) return Conclusion::kFaster;
  }
  if (estimate.same_interval.low > -same && estimate.same_interval.high < same) {
    return Conclusion::kSame;
  }
  return Conclusion::kInconclusive;
}

absl::StatusOr<double> SmallestVisibleEffect(const Estimate& estimate, const DecisionRules& rules) {
  if (estimate.pairs < 2) return absl::FailedPreconditionError("fewer than 2 pairs");
  // The deviation that matches the interval's width. It is not the plain deviation, because an
  // interval by ranks hardly widens with a few wild pairs.
  const double level = LevelsOf(rules).difference;
  const boost::math::students_t t(static_cast<double>(estimate.pairs - 1));
  const double half_width = 0.5 * (estimate.interval.high - estimate.interval.low);
  const double sd = half_width * std::sqrt(static_cast<double>(estimate.pairs)) /
                    boost::math::quantile(t, 1 - level / 2);
  const double hidden = statistics::MinimumDetectableEffect(estimate.pairs, sd, level, 0.95);
  return std::expm1(std::log1p(rules.smallest_effect) + hidden);
}

}  // namespace assay::compare
