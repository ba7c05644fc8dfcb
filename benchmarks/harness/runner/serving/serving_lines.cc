#include "benchmarks/harness/runner/serving/serving_lines.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/output/output.h"
#include "benchmarks/harness/runner/serving/served_checks.h"

namespace assay::runner {
namespace {

std::string ShortTime(double ns) { return output::TimeText(ns, 3); }

std::string PercentileName(double share) { return absl::StrCat("p", 100 * share); }

const LatencyPercentile* PercentileAt(const Served& served, double share) {
  for (const LatencyPercentile& percentile : served.percentiles())
    if (percentile.share() == share) return &percentile;
  return nullptr;
}

std::string HeadText(const Served& served, int threads) {
  std::string text = served.scenario();
  if (served.asked_qps() > 0)
    absl::StrAppendFormat(&text, " at %.4g queries a second", served.asked_qps());
  absl::StrAppendFormat(&text, " · %.3g s · %d %s", served.duration_s(), served.queries(),
                        served.queries() == 1 ? "query" : "queries");
  if (served.requests() != served.queries())
    absl::StrAppend(&text, " of ", served.requests(), " samples");
  absl::StrAppendFormat(&text, ", %.4g a second · %d %s of %d %s, batches up to %d",
                        served.requests_per_s(), served.workers(),
                        served.workers() == 1 ? "worker" : "workers", threads,
                        threads == 1 ? "thread" : "threads", served.max_batch());
  return text;
}

// "p50 31.2 ms", and so on; `certified`: with the certified ones.
std::vector<std::string> PercentileTexts(
    const google::protobuf::RepeatedPtrField<LatencyPercentile>& of, bool certified = false) {
  std::vector<std::string> texts;
  for (const LatencyPercentile& p : of) {
    texts.push_back(absl::StrCat(PercentileName(p.share()), " ", ShortTime(p.ns())));
    if (certified && p.share() > 0.5)
      absl::StrAppend(&texts.back(), " (certified ", ShortTime(p.certified_ns()), ")");
  }
  return texts;
}

std::string LatencyText(const Served& served) {
  std::vector<std::string> texts = PercentileTexts(served.percentiles(), /*certified=*/true);
  texts.push_back(absl::StrCat("max ", ShortTime(served.max_ns())));
  return absl::StrJoin(texts, " · ");
}

// The times of a decoder's tokens.
std::string TokenText(const Served& served) {
  std::vector<std::string> texts = {
      absl::StrFormat("%d, %.4g a second", served.tokens(), served.tokens_per_s())};
  for (const auto& [name, times] : {std::pair{"first token", &served.first_token()},
                                    {"each further one", &served.per_token()},
                                    {"between two", &served.between_tokens()}}) {
    if (!times->empty())
      texts.push_back(absl::StrCat(name, " ", absl::StrJoin(PercentileTexts(*times), ", ")));
  }
  if (served.has_goodput())
    texts.push_back(absl::StrFormat("goodput %.4g queries a second", served.goodput()));
  return absl::StrJoin(texts, " · ");
}

std::string ReplyText(const Served& served) {
  const int64_t right = served.equal_replies() + served.close_replies();
  std::vector<std::string> texts = {
      absl::StrCat(right, " right, ", served.equal_replies(), " of them to the bit")};
  for (const auto& [count, what] : {std::pair{served.wrong_replies(), "WRONG"},
                                    {served.lost_replies(), "LOST"},
                                    {served.doubled_replies(), "DOUBLED"}})
    if (count > 0) texts.push_back(absl::StrCat(count, " ", what));
  std::vector<std::string> batches;
  for (int i = 0; i < served.batches_size(); ++i)
    if (served.batches(i) > 0) batches.push_back(absl::StrCat(i + 1, ": ", served.batches(i)));
  if (served.max_batch() > 1)
    texts.push_back(absl::StrCat("batches of ", absl::StrJoin(batches, ", ")));
  texts.push_back(absl::StrFormat("workers busy %.0f %%", 100 * served.busy_share()));
  return absl::StrJoin(texts, " · ");
}

std::string BoundText(const Served& served) {
  return absl::StrFormat("%s %s · %.4g %% of the queries within %s, %.4g %% must be",
                         PercentileName(served.bound_share()),
                         KeepsBound(served) ? "KEPT" : "MISSED", 100 * served.within_bound(),
                         ShortTime(served.bound_ns()), 100 * served.bound_share());
}

std::string GeneratorText(const Served& served) {
  if (!absl::StartsWith(served.generator(), "LoadGen")) return "sent all of them";
  // LoadGen judges a server by its bound.
  if (served.scenario() == "server" && served.bound_ns() == 0)
    return "calls a run VALID by its --latency-bound; there is none";
  return served.valid() ? "VALID" : absl::StrCat("INVALID: ", served.invalid_reason());
}

// The index of the rate with the most queries a second divided by median latency (Kleinrock's power).
size_t KneeOf(const std::vector<Served>& curve) {
  const auto power = [](const Served& served) {
    const LatencyPercentile* const median = PercentileAt(served, 0.5);
    return median == nullptr || median->ns() <= 0 ? 0 : served.queries_per_s() / median->ns();
  };
  return static_cast<size_t>(
      std::max_element(curve.begin(), curve.end(),
                       [&](const Served& a, const Served& b) { return power(a) < power(b); }) -
      curve.begin());
}

// Dark up to the median, light up to the highest percentile that there is. `whole`: the latency that
// fills the width.
std::string LatencyBar(const Served& served, double whole) {
  constexpr double kWidth = 24;
  if (served.percentiles().empty()) return "";
  const auto cells = [whole](double ns) { return std::lround(kWidth * ns / whole); };
  const int64_t dark = std::max(cells(served.percentiles().begin()->ns()), 1L);
  std::string bar;
  for (int64_t i = 0; i < std::max(cells(served.percentiles().rbegin()->ns()), dark); ++i)
    absl::StrAppend(&bar, i < dark ? "█" : "░");
  return bar;
}

}  // namespace

std::string ServedLines(const Served& served, int threads) {
  std::vector<std::pair<std::string_view, std::string>> lines = {
      {"served", HeadText(served, threads)}};
  if (served.queries() > 0) lines.emplace_back("latency", LatencyText(served));
  if (served.tokens() > 0) lines.emplace_back("tokens", TokenText(served));
  lines.emplace_back("replies", ReplyText(served));
  if (served.bound_ns() > 0) lines.emplace_back("bound", BoundText(served));
  lines.emplace_back("generator", absl::StrCat(served.generator(), ": ", GeneratorText(served)));
  for (const Check& check : served.checks()) {
    if (check.status() == CHECK_OK) continue;
    lines.emplace_back(check.status() == CHECK_FLAGGED ? "FLAGGED" : "NOTED",
                       absl::StrCat(check.name(), ": ", check.detail()));
  }
  std::string text;
  for (const auto& [head, said] : lines) absl::StrAppendFormat(&text, "%-10s%s\n", head, said);
  return text;
}

std::string CurveLines(std::vector<Served> curve) {
  if (curve.size() < 2) return "";
  std::stable_sort(curve.begin(), curve.end(),
                   [](const Served& a, const Served& b) { return a.asked_qps() < b.asked_qps(); });
  const size_t knee = KneeOf(curve);
  double slowest = 0;
  for (const Served& served : curve)
    for (const LatencyPercentile& percentile : served.percentiles())
      slowest = std::max(slowest, percentile.ns());
  std::vector<std::vector<std::string>> rows = {{"asked/s", "answered/s", "p50", "p90", "p99",
                                                 "p99.9", "busy", "latency █ p50 ░ highest", ""}};
  for (size_t i = 0; i < curve.size(); ++i) {
    const Served& served = curve[i];
    std::vector<std::string> row = {absl::StrFormat("%.4g", served.asked_qps()),
                                    absl::StrFormat("%.4g", served.queries_per_s())};
    for (const double share : {0.5, 0.9, 0.99, 0.999}) {
      const LatencyPercentile* const p = PercentileAt(served, share);
      row.push_back(p == nullptr ? "" : ShortTime(p->ns()));
    }
    row.push_back(absl::StrFormat("%.0f %%", 100 * served.busy_share()));
    row.push_back(LatencyBar(served, slowest));
    std::vector<std::string> marks;
    if (i == knee) marks.emplace_back("knee");
    if (served.peak()) marks.emplace_back("peak: the highest rate that kept the bound");
    if (!KeepsBound(served)) marks.emplace_back("bound missed");
    row.push_back(absl::StrJoin(marks, ", "));
    rows.push_back(std::move(row));
  }
  return absl::StrCat("\n", output::TextTable(rows, {7, 8}));
}

}  // namespace assay::runner
