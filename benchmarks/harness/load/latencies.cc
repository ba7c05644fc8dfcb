#include "benchmarks/harness/load/latencies.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <map>

namespace assay::load {
namespace {

constexpr double kDoubt = 0.01;  // MLPerf's confidence is 99 %

}  // namespace

int64_t QueriesNeeded(double share) {
  return static_cast<int64_t>(
      std::ceil(boost::math::binomial_distribution<double>::find_minimum_number_of_trials(
          1, 1 - share, kDoubt)));
}

std::optional<LatencyPercentile> PercentileOf(absl::Span<const int64_t> sorted, double share) {
  using boost::math::policies::discrete_quantile;
  using boost::math::policies::integer_round_down;
  using boost::math::policies::policy;
  const auto queries = static_cast<int64_t>(sorted.size());
  if (queries < QueriesNeeded(share)) return std::nullopt;
  const boost::math::binomial_distribution<double, policy<discrete_quantile<integer_round_down>>>
      longer(static_cast<double>(queries), 1 - share);
  const auto certifies = static_cast<int64_t>(quantile(longer, kDoubt));
  const auto at = static_cast<size_t>(static_cast<double>(queries) * share);
  LatencyPercentile percentile;
  percentile.set_share(share);
  percentile.set_ns(static_cast<double>(sorted[at]));
  percentile.set_certified_ns(
      static_cast<double>(sorted[static_cast<size_t>(queries - certifies)]));
  return percentile;
}

LoadSummary Summarize(Scenario scenario, absl::Span<const RequestTimes> requests) {
  LoadSummary summary{.requests = static_cast<int64_t>(requests.size())};
  if (requests.empty()) return summary;
  std::map<int64_t, RequestTimes> queries;
  int64_t first = requests[0].intended, last = requests[0].done, number = 0;
  for (const RequestTimes& request : requests) {
    const int64_t query = scenario == Scenario::kOffline ? number++ : request.query;
    RequestTimes& of = queries.try_emplace(query, request).first->second;
    of.done = std::max(of.done, request.done);
    first = std::min(first, request.intended);
    last = std::max(last, request.done);
  }
  for (const auto& [query, times] : queries) {
    summary.latencies.push_back(times.done - times.intended);
    summary.lateness.push_back(times.sent - times.intended);
  }
  std::sort(summary.latencies.begin(), summary.latencies.end());
  std::sort(summary.lateness.begin(), summary.lateness.end());
  summary.elapsed_s = static_cast<double>(last - first) * 1e-9;
  if (summary.elapsed_s > 0) {
    summary.queries_per_s = static_cast<double>(queries.size()) / summary.elapsed_s;
    summary.requests_per_s = static_cast<double>(requests.size()) / summary.elapsed_s;
  }
  return summary;
}

}  // namespace assay::load
