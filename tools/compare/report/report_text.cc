#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "benchmarks/harness/output/output.h"
#include "benchmarks/harness/record/outcome.h"
#include "benchmarks/harness/text/byte_text.h"
#include "benchmarks/harness/text/few_names.h"
#include "tools/compare/decision/memory_ratio.h"
#include "tools/compare/report/report.h"
#include "tools/compare/report/ways.h"

namespace assay::compare {
namespace {

// A log ratio as the change in percent: +1.23 %.
std::string Percent(double log_ratio) {
  return absl::StrFormat("%+.2f", std::expm1(log_ratio) * 100);
}

std::string QValue(double q) {
  return q < 1e-4 ? absl::StrFormat("%.0e", q) : absl::StrFormat("%.4f", q);
}

// "mlp_fp32_b64" of "//benchmarks/mlp:mlp_fp32_b64".
std::string ShortName(const std::string& label) {
  const size_t colon = label.rfind(':');
  return colon == std::string::npos ? label : label.substr(colon + 1);
}

std::string ShortName(const CaseResult& c) {
  return c.way.empty() ? ShortName(c.name) : absl::StrCat(ShortName(c.label), " ", c.way);
}

std::string IntervalHead(const Report& report) {
  const double level = 100 * (1 - LevelsOf(report.options.rules).difference);
  return absl::StrFormat("%.1f %% interval, %%", level);
}

using Row = std::vector<std::string>;

Row RowOf(const Report& report, const SeriesResult& series) {
  Row row = {ShortName(report.result.cases[series.case_index]) + "/" + series.mode};
  for (const double ns : {series.BaselineTime(), series.CandidateTime()}) {
    const std::string text = ValueText(ns, report.options.metric);
    row.push_back(series.estimate.has_value() ? text : absl::StrCat("(", text, ")"));
  }
  if (series.estimate.has_value()) {
    const Estimate& e = *series.estimate;
    row.insert(row.end(), {absl::StrFormat("%.4f", std::exp(e.log_ratio)),
                           absl::StrCat(Percent(e.interval.low), " .. ", Percent(e.interval.high)),
                           QValue(series.q_value), std::string(ConclusionName(series.verdict)),
                           absl::StrCat(e.pairs)});
  } else {
    row.insert(row.end(), {"-", "-", "-", std::string(ConclusionName(series.verdict)), "0"});
  }
  return row;
}

// Empty for a record of another machine's failure, which may have none.
std::string MachineText(const Environment& environment) {
  if (environment.cpu_model().empty()) return "";
  return absl::StrCat(environment.node().empty() ? "" : environment.node() + ": ",
                      environment.cpu_model(), ", ", environment.cpu_count(), " CPUs",
                      environment.gpu_name().empty() ? "" : ", " + environment.gpu_name());
}

std::string Header(const Report& report) {
  const CampaignOptions& options = report.options;
  std::string text = absl::StrCat("baseline   ", report.baseline, "\ncandidate  ",
                                  absl::StrJoin(report.candidates, "\ncandidate  "), "\n");
  if (!report.inject.empty()) {
    absl::StrAppend(&text, "injected   a busy-wait of ", report.inject,
                    " into each call of the candidate\n");
  }
  std::set<std::string> machines;
  for (const CaseResult& c : report.result.cases) {
    // A case that ran on a GPU names it, a case that ran on the CPU beside it does not; and with
    // --across the candidate's machine may be another.
    for (const Record* record : {&c.baseline_record, &c.candidate_record}) {
      const Environment& environment = record->environment();
      const std::string machine = MachineText(environment);
      if (machine.empty() || !machines.insert(machine).second) continue;
      absl::StrAppend(
          &text, "machine    ", machine,
          environment.noise().empty() ? "" : "; " + absl::StrJoin(environment.noise(), "; "), "\n");
    }
  }
  if (options.metric != Metric::kWall) {
    absl::StrAppend(&text, "metric     ", MetricName(options.metric), ": ",
                    MetricText(options.metric), "\n");
  }
  if (report.recorded_runs) return text;
  absl::StrAppendFormat(
      &text,
      "procedure  %d pairs of fresh processes in ABBA order, %s, "
      "seed %d%s%s\n",
      options.pairs,
      options.rules.looks == 1 ? std::string("one look")
                               : absl::StrCat("at most ", options.rules.looks, " looks"),
      options.seed,
      report.modes.empty()
          ? ""
          : absl::StrFormat("; modes %s, %g s each", report.modes, report.budget_s),
      options.within < absl::InfiniteDuration()
          ? absl::StrFormat("; within %g s", absl::ToDoubleSeconds(options.within))
          : "");
  if (options.two_cases)
    text += "cases      two that were named: dtype, batch, model and limits may differ\n";
  return text;
}

std::string Failures(const Report& report) {
  std::string text;
  // They may be hundreds: by their reason, a line for each case with its ways.
  std::map<std::string, std::map<std::string, std::string>> missing;
  for (const CaseResult& c : report.result.cases) {
    if (c.missing.empty()) continue;
    const std::string& label = c.way.empty() ? c.name : c.label;
    absl::StrAppend(&missing[c.missing][label], c.way.empty() ? "" : " ", c.way);
  }
  for (const auto& [reason, cases] : missing) {
    for (const auto& [label, ways] : cases) absl::StrAppend(&text, label, ways, ": MISSING\n");
    absl::StrAppend(&text, "  ", reason, "\n");
  }
  for (const CaseResult& c : report.result.cases) {
    if (!c.failure.has_value()) continue;
    const std::string_view outcome = c.failure->outcome == OUTCOME_UNSPECIFIED
                                         ? "refused"
                                         : record::OutcomeName(c.failure->outcome);
    absl::StrAppend(&text, c.name, ": not compared: ", outcome, " (",
                    c.failure->side == SideName::kBaseline ? "baseline" : "candidate", ")\n  ",
                    c.failure->message, "\n");
  }
  return text;
}

std::string Losses(const Report& report) {
  std::string text;
  const auto add = [&](const std::string& what) {
    absl::StrAppend(&text, "lost       ", what, "\n");
  };
  for (const std::string& lost : report.result.lost) add(lost);
  // A file of a whole suite against one of a few cases has lost hundreds for one reason.
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const CaseResult& c : report.result.cases) {
    for (const std::string& lost : c.lost) by_reason[lost].push_back(c.name);
  }
  for (const auto& [reason, names] : by_reason)
    add(absl::StrCat(base::FewNames(names), ": ", reason));
  return text;
}

// Remarks on a series that do not fit into its row.
std::string Remarks(const Report& report, const SeriesResult& series) {
  const std::string name = ShortName(report.result.cases[series.case_index]) + "/" + series.mode;
  std::string text;
  if (!series.reason.empty()) absl::StrAppend(&text, name, ": ", series.reason, "\n");
  const int64_t flagged = std::count_if(series.pairs.begin(), series.pairs.end(),
                                        [](const PairMedians& pair) { return pair.Flagged(); });
  if (flagged > 0 && series.verdict != Conclusion::kNotCompared) {
    absl::StrAppend(&text, name, ": ", flagged, " of ", series.pairs.size(),
                    " pairs were flagged and ",
                    report.options.keep_flagged ? "kept (--flagged=keep)\n" : "run again\n");
  }
  const std::string unverified = series.Unverified();
  if (series.verdict == Conclusion::kFaster && !unverified.empty()) {
    absl::StrAppend(&text, name, ": FASTER, and the timed call was not verified: ", unverified,
                    "; it may compute something else, and --gate takes it for no result\n");
  }
  if (!series.estimate.has_value()) return text;
  const Estimate& e = *series.estimate;
  if (e.opinions_differ && e.bootstrap.has_value()) {
    absl::StrAppend(&text, name,
                    ": the bootstrap's interval is another: ", Percent(e.bootstrap->low), " .. ",
                    Percent(e.bootstrap->high), " %; read the figure with care\n");
  }
  return text;
}

// The memory of calls, if a record has it.
std::string Memory(const CaseResult& c) {
  const auto text_of = [](const std::optional<int64_t>& bytes) {
    return bytes.has_value() ? base::ByteText(*bytes) : "-";
  };
  std::string text;
  for (const StepPeaks& peaks : PeaksOf(c.baseline_record, c.candidate_record)) {
    const std::optional<double> ratio = peaks.CompressionRatio();
    absl::StrAppend(&text, "memory     ", ShortName(c), "/", peaks.step, ": peak of a call ",
                    text_of(peaks.baseline), " against ", text_of(peaks.candidate),
                    ", compression ratio ",
                    ratio.has_value() ? absl::StrFormat("%.4f", *ratio) : "-", "\n");
  }
  return text;
}

// How the case uses the candidate's own kernels.
std::string Uses(const CaseResult& c) {
  std::string text;
  for (const OperatorUse& use : c.uses)
    absl::StrAppendFormat(&text, "calls      %s: %s: %g, about %.1f %% of the time\n", ShortName(c),
                          use.name, use.calls, 100 * use.share);
  return text;
}

// When the side that is faster per call has made up for its loading and its first call.
std::string BreakEven(const Report& report, const SeriesResult& series) {
  const CaseResult& c = report.result.cases[series.case_index];
  const std::optional<int64_t> calls = c.BreakEvenCalls(series);
  if (!calls) return "";
  constexpr double kWorthSayingNs = 1e7;  // eager takes microseconds
  const double loading = std::max(c.BaselineLoadingNs(), c.CandidateLoadingNs());
  return absl::StrFormat(
      "break-even %s/%s: %sfirst call %s against %s; the %s has made up for it after %d more\n",
      ShortName(c), series.mode,
      loading < kWorthSayingNs
          ? ""
          : absl::StrCat("loading ", output::TimeText(c.BaselineLoadingNs()), " against ",
                         output::TimeText(c.CandidateLoadingNs()), ", "),
      output::TimeText(series.BaselineFirstCall()), output::TimeText(series.CandidateFirstCall()),
      series.verdict == Conclusion::kFaster ? "candidate" : "baseline", *calls);
}

// A cell of the table of several candidates.
std::string SpeedupText(const WayTable& table, const std::string& label, const std::string& way) {
  const CaseResult* const c = table.Case(label, way);
  if (c == nullptr) return "-";
  if (!c->missing.empty()) return "MISSING";
  if (c->failure.has_value()) {
    return absl::StrCat(c->failure->outcome == OUTCOME_UNSPECIFIED
                            ? "refused"
                            : record::OutcomeName(c->failure->outcome),
                        c->failure->side == SideName::kBaseline ? " (baseline)" : "");
  }
  const SeriesResult* const series = table.Estimated(label, way);
  if (series == nullptr) return std::string(ConclusionName(Conclusion::kNotCompared));
  const Estimate& e = *series->estimate;
  return absl::StrFormat("%.3f (%.3f .. %.3f)", std::exp(-e.log_ratio), std::exp(-e.interval.high),
                         std::exp(-e.interval.low));
}

std::string SecondsText(const std::optional<double>& seconds) {
  return seconds.has_value() ? output::TimeText(*seconds * 1e9) : "-";
}

std::string RatioText(const std::optional<double>& ratio) {
  return ratio.has_value() ? absl::StrFormat("%.3f", *ratio) : "-";
}

std::string BreakEvenText(const WaySummary& s) {
  if (!s.break_even_calls.has_value()) return "-";
  return absl::StrFormat("%.0f calls, %d of %d", *s.break_even_calls, s.break_even_cases,
                         s.compared);
}

// Several candidates in one table, a column each.
std::string Ways(const Report& report, const std::string& mode,
                 const std::vector<WaySummary>& summaries) {
  const WayTable table(report.result, mode);
  const auto count = static_cast<int64_t>(table.Common().size());
  std::vector<Row> rows = {{absl::StrCat("speedup, ", mode)}};
  for (const std::string& label : table.labels()) rows.push_back({ShortName(label)});
  const size_t cases = rows.size();
  for (const std::string& head :
       {absl::StrCat("geometric mean of ", count), std::string("passed"),
        std::string("export, mean"), std::string("load, mean"), std::string("first call, mean"),
        std::string("break-even, median"), std::string("memory compression")})
    rows.push_back({head});
  for (const WaySummary& s : summaries) {
    if (s.mode != mode) continue;
    rows[0].push_back(s.way);
    for (size_t i = 1; i < cases; ++i)
      rows[i].push_back(SpeedupText(table, table.labels()[i - 1], s.way));
    const std::string passed =
        s.cases == 0
            ? "-"
            : absl::StrFormat("%d of %d, %.0f %%", s.passed, s.cases,
                              100.0 * static_cast<double>(s.passed) / static_cast<double>(s.cases));
    size_t row = cases;
    for (const std::string& cell :
         {RatioText(s.speedup), passed, SecondsText(s.export_s), SecondsText(s.load_s),
          SecondsText(s.first_call_s), BreakEvenText(s), RatioText(s.memory_compression)})
      rows[row++].push_back(cell);
  }
  return output::TextTable(rows, {0});
}

std::string NoiseFloor(const Report& report, const SeriesResult& series) {
  const Estimate& e = *series.estimate;
  std::string text = absl::StrFormat(
      "noise      %s/%s: ", ShortName(report.result.cases[series.case_index]), series.mode);
  const absl::StatusOr<double> visible = SmallestVisibleEffect(e, report.options.rules);
  if (visible.ok()) {
    absl::StrAppendFormat(&text,
                          "%d pairs find a true difference of %.2f %% or more (95 %% power); ",
                          e.pairs, *visible * 100);
  }
  absl::StrAppendFormat(
      &text,
      "sd of a pair's log ratio %.2f %% (robust %.2f %%), half width of the interval %.2f %%\n",
      e.sd * 100, e.robust_sd * 100, 50 * (e.interval.high - e.interval.low));
  return text;
}

}  // namespace

std::string TextReport(const Report& report) {
  std::string text = Header(report);
  const std::string figure =
      report.options.metric == Metric::kWall ? "" : ", " + MetricName(report.options.metric);
  std::vector<Row> rows = {{"case/mode", "baseline" + figure, "candidate" + figure, "ratio",
                            IntervalHead(report), "q", "verdict",
                            report.recorded_runs ? "processes" : "pairs"}};
  for (const SeriesResult& series : report.result.series) rows.push_back(RowOf(report, series));
  if (rows.size() > 1) absl::StrAppend(&text, output::TextTable(rows, {0, 6}));
  const auto unestimated = [](const SeriesResult& series) { return !series.estimate.has_value(); };
  if (absl::c_any_of(report.result.series, unestimated))
    text += "(times in brackets: medians of which no ratio is made, for the reason below)\n";
  for (const SeriesResult& series : report.result.series) {
    absl::StrAppend(&text, Remarks(report, series));
  }
  for (const SeriesResult& series : report.result.series) {
    absl::StrAppend(&text, BreakEven(report, series));
  }
  for (const CaseResult& c : report.result.cases) absl::StrAppend(&text, Uses(c), Memory(c));
  if (absl::c_any_of(report.result.cases, [](const CaseResult& c) { return !c.uses.empty(); }))
    absl::StrAppend(&text,
                    "sizes      these cases test your kernel at their own sizes alone; "
                    "//tools:kernel tests others\n");
  if (const std::vector<WaySummary> summaries = SummariesOf(report.result); !summaries.empty()) {
    for (const std::string& mode : ModesOf(report.result))
      absl::StrAppend(&text, Ways(report, mode, summaries));
  }
  absl::StrAppend(&text, Failures(report), Losses(report));
  if (report.same_sides) {
    for (const SeriesResult& series : report.result.series) {
      if (series.estimate.has_value()) absl::StrAppend(&text, NoiseFloor(report, series));
    }
  }
  for (const CaseResult& c : report.result.cases) {
    for (const std::string& difference : c.differences) {
      absl::StrAppend(&text, "across     ", ShortName(c), ": ", difference, "\n");
    }
  }
  for (const std::string& note : report.notes) absl::StrAppend(&text, "note       ", note, "\n");
  if (report.result.interrupted) {
    absl::StrAppend(&text,
                    "INTERRUPTED: figures are of what was measured until then; a verdict "
                    "that was not in stays INCONCLUSIVE\n");
  }
  if (!report.recorded_runs) {
    constexpr double kWorthSayingS = 1;
    absl::StrAppendFormat(&text, "took       %.0f s%s, %d processes, looks: %d\n", report.elapsed_s,
                          report.building_s < kWorthSayingS
                              ? ""
                              : absl::StrFormat(", of which %.0f s for builds", report.building_s),
                          report.result.processes, report.result.looks_made);
  }
  return text;
}

}  // namespace assay::compare
