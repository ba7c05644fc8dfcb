#include "benchmarks/harness/runner/serving/served_checks.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/load/latencies.h"
#include "benchmarks/harness/output/output.h"

namespace assay::runner {
namespace {

void CheckLateness(const load::LoadSummary& summary, Served& served) {
  const auto median = static_cast<double>(summary.latencies[summary.latencies.size() / 2]);
  const bool late = served.late_p99_ns() > 0.1 * median;
  AddServedCheck(
      "generator_late", late ? CHECK_FLAGGED : CHECK_OK,
      absl::StrCat("99 % of the queries were sent within ",
                   output::TimeText(served.late_p99_ns(), 3), " of when they should have been",
                   late ? ", more than a tenth of the median latency: no core is left "
                          "for the load generator"
                        : ""),
      served);
}

// The last arrivals wait for all that has piled up.
void CheckRate(const load::Load& load, const std::vector<load::RequestTimes>& requests,
               absl::Duration call, Served& served) {
  if (load.scenario != load::Scenario::kServer || load.concurrency > 0) return;
  const auto [first, last] =
      std::minmax_element(requests.begin(), requests.end(),
                          [](const auto& a, const auto& b) { return a.intended < b.intended; });
  const double span_s = static_cast<double>(last->intended - first->intended) * 1e-9;
  if (span_s == 0) return;  // one arrival, or all at one time: they have no rate
  const double behind_s = served.duration_s() - span_s;
  const bool behind = behind_s > 0.05 * span_s && behind_s > 3 * absl::ToDoubleSeconds(call);
  AddServedCheck(
      "rate_reached", behind ? CHECK_FLAGGED : CHECK_OK,
      behind ? absl::StrFormat("%.4g queries a second arrived and %.4g were answered: the last "
                               "reply came %.3g s after the last arrival. Latencies grow with "
                               "--duration; give a lower --qps or more --workers",
                               static_cast<double>(requests.size() - 1) / span_s,
                               served.queries_per_s(), behind_s)
             : "the workers kept up with the arrivals",
      served);
}

// A rate needs a request that was answered after another.
void CheckRounds(Served& served) {
  const bool offline = served.scenario() == "offline";
  const int64_t round = offline ? served.workers() * served.max_batch() : 1;
  if (served.queries() > round) return;
  AddServedCheck("rate_measured", CHECK_FLAGGED,
                 offline ? "no worker has answered a second batch, so the rate is that of one call "
                           "with its beginning and end; give a longer --duration"
                         : "there is one query, and a rate needs more; give a longer --duration",
                 served);
}

void CheckNumber(const std::set<double>& shares, Served& served) {
  std::vector<std::string> missing;
  for (const double share : shares) {
    const int64_t needed = load::QueriesNeeded(share);
    if (served.queries() < needed)
      missing.push_back(absl::StrCat("p", 100 * share, " needs ", needed));
  }
  if (missing.empty()) return;
  AddServedCheck("enough_queries", CHECK_NOTED,
                 absl::StrCat("of ", served.queries(), " queries: ", absl::StrJoin(missing, ", "),
                              "; give a longer --duration"),
                 served);
}

void CheckAgreement(const load::GeneratorReport& report, const load::LoadSummary& summary,
                    Served& served) {
  if (report.percentiles_ns.empty()) return;  // it was stopped
  std::vector<std::string> differences;
  const auto queries = static_cast<int64_t>(summary.latencies.size());
  // To LoadGen the scenario offline is one query.
  if (report.queries != queries && served.scenario() != "offline")
    differences.push_back(absl::StrCat(report.queries, " queries, here ", queries));
  for (const auto& [share, ns] : report.percentiles_ns) {
    const int64_t here =
        summary.latencies[static_cast<size_t>(static_cast<double>(queries) * share)];
    // Its clock is read a moment after ours.
    if (std::abs(here - ns) <= std::max<int64_t>(ns / 50, 50'000)) continue;
    differences.push_back(absl::StrCat("p", 100 * share, " ",
                                       output::TimeText(static_cast<double>(ns), 3), ", here ",
                                       output::TimeText(static_cast<double>(here), 3)));
  }
  AddServedCheck("generator_agrees", differences.empty() ? CHECK_OK : CHECK_FLAGGED,
                 differences.empty()
                     ? absl::StrCat(served.generator(), " counts as many queries, and the same in ",
                                    report.percentiles_ns.size(), " percentiles")
                     : absl::StrCat(served.generator(), " says ", absl::StrJoin(differences, "; ")),
                 served);
}

}  // namespace

bool KeepsBound(const Served& served) {
  return served.bound_ns() == 0 || served.within_bound() >= served.bound_share();
}

void AddPercentiles(std::vector<int64_t> times, const std::set<double>& shares,
                    google::protobuf::RepeatedPtrField<LatencyPercentile>& to) {
  std::sort(times.begin(), times.end());
  for (const double share : shares)
    if (const auto percentile = load::PercentileOf(times, share)) *to.Add() = *percentile;
}

PairsAlike PairsAlike::Among(int64_t samples, absl::FunctionRef<bool(int64_t a, int64_t b)> alike) {
  constexpr int64_t kMost = 2000;
  PairsAlike pairs;
  for (int64_t a = 0; a < samples; ++a)
    for (int64_t b = 0; b < a && pairs.looked_at < kMost; ++b, ++pairs.looked_at)
      if (alike(a, b)) ++pairs.found;
  return pairs;
}

void AddAlike(const PairsAlike& alike, Served& served) {
  if (alike.found == 0 && alike.looked_at > 0) return;
  AddServedCheck("samples_differ", CHECK_FLAGGED,
                 alike.looked_at == 0
                     ? "with one sample a reply to the wrong request does not show"
                     : absl::StrCat(alike.found, " of ", alike.looked_at,
                                    " pairs of samples give the same within the case's limits: a "
                                    "reply to the wrong one of these would not show"),
                 served);
}

void AddServedCheck(std::string_view name, CheckStatus status, std::string detail, Served& served) {
  Check& check = *served.add_checks();
  check.set_name(std::string(name));
  check.set_status(status);
  check.set_detail(std::move(detail));
}

void AddTimes(const load::Load& load, const load::LoadResult& result, absl::Duration call,
              Served& served) {
  const load::LoadSummary summary = load::Summarize(load.scenario, result.requests);
  const std::vector<int64_t>& latencies = summary.latencies;
  served.set_queries(static_cast<int64_t>(latencies.size()));
  served.set_requests(summary.requests);
  served.set_duration_s(summary.elapsed_s);
  served.set_queries_per_s(summary.queries_per_s);
  served.set_requests_per_s(summary.requests_per_s);
  served.set_mean_ns(std::accumulate(latencies.begin(), latencies.end(), 0.0) /
                     static_cast<double>(latencies.size()));
  served.set_max_ns(static_cast<double>(latencies.back()));
  std::set<double> shares = {0.5, 0.9, 0.99, 0.999};
  if (load.bound.bound < absl::InfiniteDuration()) {
    shares.insert(load.bound.share);
    const int64_t bound = absl::ToInt64Nanoseconds(load.bound.bound);
    const auto within = std::upper_bound(latencies.begin(), latencies.end(), bound);
    served.set_bound_ns(static_cast<double>(bound));
    served.set_bound_share(load.bound.share);
    served.set_within_bound(static_cast<double>(within - latencies.begin()) /
                            static_cast<double>(latencies.size()));
  }
  AddPercentiles(latencies, shares, *served.mutable_percentiles());
  const std::vector<int64_t>& late = summary.lateness;
  served.set_late_p99_ns(
      static_cast<double>(late[static_cast<size_t>(0.99 * static_cast<double>(late.size()))]));
  served.set_valid(result.report.valid);
  served.set_invalid_reason(result.report.reason);
  CheckLateness(summary, served);
  CheckRate(load, result.requests, call, served);
  CheckRounds(served);
  CheckNumber(shares, served);
  CheckAgreement(result.report, summary, served);
}

}  // namespace assay::runner
