#include "tools/compare/parts.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "benchmarks/harness/record/strict_json.h"
#include "tools/compare/compared_cases.h"
#include "tools/compare/decision/decision.h"

namespace assay::compare {
namespace {

using Json = nlohmann::ordered_json;
using Texts = std::vector<std::string>;

constexpr char kRefused[] = "REFUSED";  // as JsonReport() calls an outcome that there is none of

// A record of the report with what the cluster knows laid over it; empty where there is none.
Record RecordOf(const Json& json, const Json& line) {
  absl::StatusOr<Record> record = record::FromJsonLine(json.dump());
  if (!record.ok()) return {};
  record->mutable_environment()->set_node(line.value("node", ""));
  record->mutable_launch()->set_attempt(line.value("attempt", 0));
  record->mutable_launch()->set_job(line.value("job", ""));
  return *std::move(record);
}

std::optional<CaseFailure> FailureOf(const Json& json) {
  if (json.is_null()) return std::nullopt;
  CaseFailure failure;
  if (json.at("side") != "baseline") failure.side = SideName::kCandidate;
  const auto outcome = json.at("outcome").get<std::string>();
  if (outcome != kRefused && !Outcome_Parse(outcome, &failure.outcome)) failure.outcome = CRASH;
  failure.message = json.at("message");
  return failure;
}

ModeMedian ModeMedianOf(const Json& pair, const std::string& side) {
  return {.median_ns = pair.at(side + "_ns"),
          .first_call_ns = pair.at(side + "_first_call_ns"),
          .flags = pair.at(side + "_flags").get<Texts>(),
          .unverified = pair.at(side + "_unverified")};
}

SeriesResult SeriesOf(const Json& json) {
  SeriesResult series{.mode = json.at("mode"),
                      .reason = json.at("reason"),
                      .decided_at_look = json.at("decided_at_look")};
  if (json.at("verdict") == ConclusionName(Conclusion::kNotCompared))
    series.verdict = Conclusion::kNotCompared;
  for (const Json& pair : json.at("pairs")) {
    series.pairs.push_back({.baseline = ModeMedianOf(pair, "baseline"),
                            .candidate = ModeMedianOf(pair, "candidate"),
                            .baseline_first = pair.at("baseline_first")});
  }
  return series;
}

// The pairs that the machine's own estimate was of.
void KeepRatios(const Json& estimate, bool keep_flagged, SeriesResult& series) {
  if (estimate.is_null() || series.verdict == Conclusion::kNotCompared) return;
  for (const PairMedians& pair : series.pairs) {
    if (series.log_ratios.size() == estimate.at("pairs").get<size_t>()) return;
    if (keep_flagged || !pair.Flagged())
      series.log_ratios.push_back(std::log(pair.candidate.median_ns / pair.baseline.median_ns));
  }
}

// Checks the fields of a report that must be as these settings say, since the whole is said to be made with them.
absl::Status CheckMade(const Json& report, const Settings& settings) {
  const CampaignOptions& options = settings.campaign;
  for (const auto& [name, want] :
       {std::pair("modes", Json(settings.modes)), std::pair("budget_s", Json(settings.budget_s)),
        std::pair("seed", Json(options.seed)), std::pair("pairs_each_look", Json(options.pairs)),
        std::pair("metric", Json(MetricName(options.metric))),
        std::pair("looks_planned", Json(options.rules.looks)),
        std::pair("injected", Json(settings.inject))}) {
    if (report.at(name) == want) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "it was made with ", name, " ", report.at(name).dump(), " and not with ", want.dump()));
  }
  return absl::OkStatus();
}

absl::Status AddCompared(const Json& line, const Settings& settings,
                         const std::vector<std::string>& ways, Parts& parts) {
  const Json& report = line.at("comparison");
  if (absl::Status made = CheckMade(report, settings); !made.ok()) return made;
  CampaignResult& result = parts.result;
  const Json& cases = report.at("cases");
  if (cases.size() != ways.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("it compares ", cases.size(), " candidates, not ", ways.size()));
  }
  std::vector<std::pair<std::string, size_t>> numbers;  // of the cases by the names that they had
  const std::string label = line.at("label");
  for (size_t i = 0; i < ways.size(); ++i) {
    const Json& c = cases[i];
    numbers.emplace_back(c.at("name"), result.cases.size());
    result.cases.push_back({.name = NameOf(label, ways[i]),
                            .label = label,
                            .way = ways[i],
                            .failure = FailureOf(c.at("failure")),
                            .differences = c.at("differences").get<Texts>(),
                            .lost = c.at("lost").get<Texts>(),
                            .baseline_record = RecordOf(c.at("baseline_record"), line),
                            .candidate_record = RecordOf(c.at("candidate_record"), line)});
  }
  for (const Json& json : report.at("series")) {
    SeriesResult series = SeriesOf(json);
    for (const auto& [name, number] : numbers) {
      if (json.at("case") == name) series.case_index = number;
    }
    KeepRatios(json.at("estimate"), settings.campaign.keep_flagged, series);
    result.series.push_back(std::move(series));
  }
  result.looks_made = std::max(result.looks_made, report.at("looks_made").get<int>());
  result.processes += report.at("processes").get<int>();
  result.measuring += absl::Seconds(report.at("measuring_s").get<double>());
  parts.elapsed_s += report.at("elapsed_s").get<double>();
  return absl::OkStatus();
}

absl::Status AddLine(const std::string& text, const Settings& settings,
                     const std::vector<std::string>& ways, Parts& parts) {
  try {
    const Json line = Json::parse(text);
    if (!line.contains("missing")) return AddCompared(line, settings, ways, parts);
    const std::string label = line.at("label");
    for (const std::string& way : ways) {
      parts.result.cases.push_back(
          {.name = NameOf(label, way), .label = label, .way = way, .missing = line.at("missing")});
    }
    return absl::OkStatus();
  } catch (const Json::exception& error) {
    return absl::InvalidArgumentError(error.what());
  }
}

}  // namespace

absl::StatusOr<Parts> ReadParts(const std::string& path, const Settings& settings,
                                const std::vector<std::string>& ways) {
  std::ifstream file(path);
  if (!file) return absl::NotFoundError(absl::StrCat("--parts: there is no file ", path));
  Parts parts;
  int64_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    const absl::Status added = AddLine(line, settings, ways, parts);
    if (!added.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat(path, ":", number, ": no comparison of these sides: ", added.message()));
    }
  }
  std::vector<std::vector<double>> ratios;
  for (const SeriesResult& series : parts.result.series) ratios.push_back(series.log_ratios);
  const auto estimates = EstimateAll(ratios, settings.campaign.rules, settings.campaign.seed);
  for (size_t i = 0; i < ratios.size(); ++i) parts.result.series[i].estimate = estimates[i];
  DecideAll(settings.campaign.rules, parts.result);
  return parts;
}

}  // namespace assay::compare
