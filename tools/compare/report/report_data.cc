#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "benchmarks/harness/output/output.h"
#include "benchmarks/harness/record/outcome.h"
#include "benchmarks/harness/record/strict_json.h"
#include "tools/compare/decision/memory_ratio.h"
#include "tools/compare/report/report.h"
#include "tools/compare/report/ways.h"

namespace assay::compare {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no word for NaN and infinity.
Json Number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

template <typename T>
Json OrNull(const std::optional<T>& value) {
  return value.has_value() ? Json(*value) : Json(nullptr);
}

Json IntervalJson(const statistics::Interval& log) {
  return {Number(std::exp(log.low)), Number(std::exp(log.high))};
}

Json EstimateJson(const SeriesResult& series, const DecisionRules& rules) {
  const Estimate& e = *series.estimate;
  Json json = {{"method", std::string(MethodName(e.method))},
               {"pairs", e.pairs},
               {"ratio", Number(std::exp(e.log_ratio))},
               {"interval", IntervalJson(e.interval)},
               {"interval_level", 1 - LevelsOf(rules).difference},
               {"same_interval", IntervalJson(e.same_interval)},
               {"same_interval_level", 1 - 2 * LevelsOf(rules).equivalence},
               {"p_value", Number(e.p_value)},
               {"q_value", Number(series.q_value)},
               {"sd_of_log_ratio", Number(e.sd)},
               {"robust_sd_of_log_ratio", Number(e.robust_sd)}};
  json["bootstrap_interval"] = e.bootstrap.has_value() ? IntervalJson(*e.bootstrap) : Json(nullptr);
  json["opinions_differ"] = e.opinions_differ;
  const absl::StatusOr<double> visible = SmallestVisibleEffect(e, rules);
  json["smallest_visible_effect"] = visible.ok() ? Number(*visible) : Json(nullptr);
  return json;
}

void AddMedian(const std::string& side, const ModeMedian& median, Json& pair) {
  pair[side + "_ns"] = Number(median.median_ns);
  pair[side + "_first_call_ns"] = Number(median.first_call_ns);
  pair[side + "_flags"] = median.flags;
  pair[side + "_unverified"] = median.unverified;
}

Json SeriesJson(const Report& report, const SeriesResult& series) {
  const CaseResult& c = report.result.cases[series.case_index];
  Json json = {{"case", c.name},
               {"mode", series.mode},
               {"verdict", std::string(ConclusionName(series.verdict))},
               {"reason", series.reason},
               {"unverified", series.Unverified()},
               {"decided_at_look", series.decided_at_look},
               {"baseline_median_ns", Number(series.BaselineTime())},
               {"candidate_median_ns", Number(series.CandidateTime())},
               {"baseline_first_call_ns", Number(series.BaselineFirstCall())},
               {"candidate_first_call_ns", Number(series.CandidateFirstCall())},
               {"break_even_calls", OrNull(c.BreakEvenCalls(series))}};
  json["estimate"] =
      series.estimate.has_value() ? EstimateJson(series, report.options.rules) : Json(nullptr);
  json["pairs"] = Json::array();
  for (const PairMedians& pair : series.pairs) {
    Json written;
    AddMedian("baseline", pair.baseline, written);
    AddMedian("candidate", pair.candidate, written);
    written["baseline_first"] = pair.baseline_first;
    json["pairs"].push_back(std::move(written));
  }
  return json;
}

// The part of a record that a report shows; null without one.
Json RecordJson(const Record& record) {
  Record shown;
  shown.set_schema_version(record.schema_version());
  shown.set_outcome(record.outcome());
  shown.set_export_s(record.export_s());
  shown.set_load_s(record.load_s());
  *shown.mutable_memory() = record.memory();
  Environment& environment = *shown.mutable_environment();
  environment.set_cpu_model(record.environment().cpu_model());
  environment.set_cpu_count(record.environment().cpu_count());
  environment.set_gpu_name(record.environment().gpu_name());
  environment.set_node(record.environment().node());
  *environment.mutable_noise() = record.environment().noise();
  shown.mutable_launch()->set_attempt(record.launch().attempt());
  shown.mutable_launch()->set_job(record.launch().job());
  const absl::StatusOr<std::string> line = record::ToJsonLine(shown);
  return line.ok() ? Json::parse(*line, nullptr, /*allow_exceptions=*/false) : Json(nullptr);
}

Json CaseJson(const CaseResult& c) {
  Json json = {
      {"name", c.name}, {"differences", c.differences}, {"lost", c.lost}, {"failure", nullptr}};
  if (c.failure.has_value()) {
    json["failure"] = {{"side", c.failure->side == SideName::kBaseline ? "baseline" : "candidate"},
                       {"outcome", c.failure->outcome == OUTCOME_UNSPECIFIED
                                       ? "REFUSED"
                                       : std::string(record::OutcomeName(c.failure->outcome))},
                       {"message", c.failure->message}};
  }
  json["missing"] = c.missing;
  json["uses"] = Json::array();
  for (const OperatorUse& use : c.uses)
    json["uses"].push_back(
        {{"operator", use.name}, {"calls", Number(use.calls)}, {"share", Number(use.share)}});
  json["baseline_record"] = RecordJson(c.baseline_record);
  json["candidate_record"] = RecordJson(c.candidate_record);
  const Environment& environment = c.baseline_record.environment();
  json["machine"] = {
      {"cpu_model", environment.cpu_model()},
      {"cpu_count", environment.cpu_count()},
      {"gpu_name", environment.gpu_name()},
      {"node", environment.node()},
      {"noise", std::vector<std::string>(environment.noise().begin(), environment.noise().end())}};
  json["memory"] = Json::array();
  for (const StepPeaks& peaks : PeaksOf(c.baseline_record, c.candidate_record)) {
    json["memory"].push_back({{"step", peaks.step},
                              {"baseline_peak_bytes", OrNull(peaks.baseline)},
                              {"candidate_peak_bytes", OrNull(peaks.candidate)},
                              {"compression_ratio", OrNull(peaks.CompressionRatio())}});
  }
  return json;
}

// Three fields of CSV; "-" if no record has the figure.
std::string MemoryFields(const CaseResult& c, const std::string& mode) {
  const StepPeaks peaks = PeaksOfMode(c.baseline_record, c.candidate_record, mode);
  const std::optional<double> ratio = peaks.CompressionRatio();
  return absl::StrCat(peaks.baseline.has_value() ? absl::StrCat(*peaks.baseline) : "-", ",",
                      peaks.candidate.has_value() ? absl::StrCat(*peaks.candidate) : "-", ",",
                      ratio.has_value() ? absl::StrFormat("%.9g", *ratio) : "-", ",");
}

}  // namespace

std::string JsonReport(const Report& report) {
  const CampaignOptions& options = report.options;
  Json json = {{"schema_version", 1},
               {"baseline", report.baseline},
               {"candidate", absl::StrJoin(report.candidates, "; ")},
               {"command", report.command},
               {"same_sides", report.same_sides},
               {"recorded_runs", report.recorded_runs},
               {"injected", report.inject},
               {"modes", report.modes},
               {"metric", MetricName(options.metric)},
               {"budget_s", Number(report.budget_s)},
               {"within_s", Number(absl::ToDoubleSeconds(options.within))},
               {"seed", options.seed},
               {"pairs_each_look", options.pairs},
               {"looks_planned", options.rules.looks},
               {"looks_made", report.result.looks_made},
               {"error_rate", options.rules.error_rate},
               {"smallest_effect", options.rules.smallest_effect},
               {"same_within", options.rules.same_within},
               {"interrupted", report.result.interrupted},
               {"processes", report.result.processes},
               {"measuring_s", Number(absl::ToDoubleSeconds(report.result.measuring))},
               {"elapsed_s", Number(report.elapsed_s)},
               {"building_s", Number(report.building_s)},
               {"exit_code", ExitCodeOf(report)},
               {"notes", report.notes},
               {"lost", report.result.lost},
               {"cases", Json::array()},
               {"series", Json::array()}};
  for (const CaseResult& c : report.result.cases) json["cases"].push_back(CaseJson(c));
  const std::vector<WaySummary> summaries = SummariesOf(report.result);
  if (!summaries.empty()) json["ways"] = Json::array();
  for (const WaySummary& s : summaries) {
    json["ways"].push_back({{"way", s.way},
                            {"mode", s.mode},
                            {"cases", s.cases},
                            {"passed", s.passed},
                            {"compared", s.compared},
                            {"speedup", OrNull(s.speedup)},
                            {"export_s", OrNull(s.export_s)},
                            {"load_s", OrNull(s.load_s)},
                            {"first_call_s", OrNull(s.first_call_s)},
                            {"break_even_calls", OrNull(s.break_even_calls)},
                            {"break_even_cases", s.break_even_cases},
                            {"memory_compression", OrNull(s.memory_compression)}});
  }
  for (const SeriesResult& series : report.result.series) {
    json["series"].push_back(SeriesJson(report, series));
  }
  // A program may print any bytes; one that is not UTF-8 becomes U+FFFD.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string CsvReport(const Report& report) {
  std::string text =
      "case,mode,verdict,ratio,interval_low,interval_high,q_value,baseline_peak_bytes,"
      "candidate_peak_bytes,compression_ratio,pair,baseline_first,baseline_ns,candidate_ns,"
      "flags\n";
  for (const SeriesResult& series : report.result.series) {
    std::string head =
        absl::StrCat(output::CsvField(report.result.cases[series.case_index].name), ",",
                     output::CsvField(series.mode), ",", ConclusionName(series.verdict), ",");
    if (series.estimate.has_value()) {
      const Estimate& e = *series.estimate;
      absl::StrAppendFormat(&head, "%.9g,%.9g,%.9g,%.6g,", std::exp(e.log_ratio),
                            std::exp(e.interval.low), std::exp(e.interval.high), series.q_value);
    } else {
      absl::StrAppend(&head, ",,,,");
    }
    absl::StrAppend(&head, MemoryFields(report.result.cases[series.case_index], series.mode));
    for (size_t i = 0; i < series.pairs.size(); ++i) {
      const PairMedians& pair = series.pairs[i];
      std::vector<std::string> flags = pair.baseline.flags;
      flags.insert(flags.end(), pair.candidate.flags.begin(), pair.candidate.flags.end());
      absl::StrAppendFormat(&text, "%s%d,%d,%.17g,%.17g,%s\n", head, i + 1, pair.baseline_first,
                            pair.baseline.median_ns, pair.candidate.median_ns,
                            output::CsvField(absl::StrJoin(flags, "; ")));
    }
    if (series.pairs.empty()) absl::StrAppend(&text, head, ",,,,\n");
  }
  return text;
}

}  // namespace assay::compare
