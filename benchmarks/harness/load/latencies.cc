#include "benchmarks/harness/load/latencies.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <map>

namespace assay::load {
namespace {

constexpr double kDoubt = 0.01;  // MLPerf's confidence is 99 %

// Whether as few as `longer` of `queries` would seldom be longer if a share 1 - `share` of all were.
bool Certifies(int64_t queries, int64_t longer, double share) {
  if (longer > queries) return false;
  return boost::math::cdf(
             boost::math::binomial_distribution<double>(static_cast<double>(queries), 1 - share),
             static_cast<double>(longer)) <= kDoubt;
}

}  // namespace

int64_t QueriesNeeded(double share) {
  int64_t high = 1;
  while (!Certifies(high, 1, share)) high *= 2;
  int64_t low = high / 2;
  while (high - low > 1) {
    const int64_t middle = low + (high - low) / 2;
    (Certifies(middle, 1, share) ? high : low) = middle;
  }
  return high;
}

std::optional<Percentile> PercentileOf(absl::Span<const int64_t> sorted, double share) {
  const auto queries = static_cast<int64_t>(sorted.size());
  if (!Certifies(queries, 1, share)) return std::nullopt;
  int64_t low = 1, high = queries;  // low certifies, high does not
  while (high - low > 1) {
    const int64_t middle = low + (high - low) / 2;
    (Certifies(queries, middle, share) ? low : high) = middle;
  }
  return Percentile{.share = share,
                    .ns = sorted[static_cast<size_t>(static_cast<double>(queries) * share)],
                    .certified_ns = sorted[static_cast<size_t>(queries - low)]};
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
