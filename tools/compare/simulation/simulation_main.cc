// Prints how often the comparison's procedure errs and how often it finds a difference, by
// simulating whole campaigns. Not for real noise: tools/bazel run //tools:compare -- --aa.
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/processes/program_main.h"
#include "tools/compare/simulation/simulation.h"

namespace assay::compare {
namespace {

constexpr char kUsage[] =
    "How often does the comparison err, and how often does it find?\n\n"
    "  tools/bazel run //tools/compare/simulation\n"
    "  tools/bazel run //tools/compare/simulation -- --campaigns=1000 --json\n\n"
    "  --campaigns=N  simulated campaigns of each row, default 10000\n"
    "  --json         the table as JSON\n"
    "  --thresholds   JSON: what a threshold on one stored time finds, and what the comparison "
    "finds\n";

struct Row {
  std::string name;
  Simulation simulation;
};

std::vector<Row> Rows(int campaigns) {
  std::vector<Row> rows;
  const auto add = [&](std::string name, Simulation simulation) {
    simulation.campaigns = std::max(1, campaigns / simulation.cases);
    rows.push_back({std::move(name), simulation});
  };
  for (const NoiseKind kind : {NoiseKind::kNormal, NoiseKind::kT3, NoiseKind::kSpells}) {
    for (const double effect : {0.0, 0.01, 0.02, 0.03}) {
      add("one case", {.conditions = {.kind = kind, .pair_sd = 0.02, .effect = effect}});
    }
    add("one case, 8 pairs", {.conditions = {.kind = kind, .pair_sd = 0.02}, .pairs = 8});
    add("30 cases, 3 slower",
        {.conditions = {.kind = kind, .pair_sd = 0.02, .effect = 0.03, .affected_cases = 3},
         .cases = 30});
    add("30 cases, 8 pairs, 3 slower",
        {.conditions = {.kind = kind, .pair_sd = 0.02, .effect = 0.05, .affected_cases = 3},
         .cases = 30,
         .pairs = 8});
  }
  add("one case, drift .1 % a process", {.conditions = {.pair_sd = 0.02, .drift = 0.001}});
  return rows;
}

nlohmann::ordered_json ToJson(const Row& row, const SimulationResult& r) {
  const SimulatedConditions& c = row.simulation.conditions;
  const statistics::Interval alarms = ShareInterval(r.alarming, r.campaigns);
  nlohmann::ordered_json json = {{"name", row.name},
                                 {"noise", std::string(NoiseName(c.kind))},
                                 {"pair_sd", c.pair_sd},
                                 {"effect", c.effect},
                                 {"drift", c.drift},
                                 {"cases", row.simulation.cases},
                                 {"pairs", row.simulation.pairs},
                                 {"campaigns", r.campaigns},
                                 {"false_alarm_rate", r.AlarmRate()},
                                 {"false_alarm_rate_interval", {alarms.low, alarms.high}},
                                 {"false_discovery_rate", r.FalseDiscoveryRate()},
                                 {"coverage", r.Coverage()},
                                 {"mean_processes", r.mean_processes}};
  json["power"] = r.true_effects > 0 ? nlohmann::ordered_json(r.Power()) : nlohmann::ordered_json();
  for (const Conclusion verdict :
       {Conclusion::kFaster, Conclusion::kSlower, Conclusion::kSame, Conclusion::kInconclusive}) {
    json["verdicts"][std::string(ConclusionName(verdict))] = r.ShareOf(verdict);
  }
  return json;
}

std::string TextRow(const Row& row, const SimulationResult& r) {
  const SimulatedConditions& c = row.simulation.conditions;
  const statistics::Interval alarms = ShareInterval(r.alarming, r.campaigns);
  return absl::StrFormat(
      "%-31s %-7s %5.1f %%  %7.3f %% (%.3f .. %.3f)  %8s  %6.2f %% %6.2f %% %6.2f %%  %6.2f %%  "
      "%6.1f  %13s\n",
      row.name, NoiseName(c.kind), c.effect * 100, r.AlarmRate() * 100, alarms.low * 100,
      alarms.high * 100, r.true_effects > 0 ? absl::StrFormat("%.2f %%", r.Power() * 100) : "-",
      (r.ShareOf(Conclusion::kFaster) + r.ShareOf(Conclusion::kSlower)) * 100,
      r.ShareOf(Conclusion::kSame) * 100, r.ShareOf(Conclusion::kInconclusive) * 100,
      r.Coverage() * 100, r.mean_processes / row.simulation.cases,
      absl::StrFormat("%d/%d", r.false_alarms, r.found + r.false_alarms));
}

nlohmann::ordered_json Thresholds(int campaigns) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const NoiseKind kind : {NoiseKind::kNormal, NoiseKind::kT3, NoiseKind::kSpells}) {
    for (const double effect : {0.0, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5}) {
      const SimulatedConditions conditions = {.kind = kind, .pair_sd = 0.02, .effect = effect};
      const SimulationResult compared =
          Simulate({.conditions = conditions, .campaigns = campaigns});
      nlohmann::ordered_json row = {{"noise", std::string(NoiseName(kind))},
                                    {"effect", effect},
                                    {"campaigns", campaigns},
                                    {"slower", compared.ShareOf(Conclusion::kSlower)}};
      for (const double threshold : {0.2, 0.35}) {
        const int64_t above = RunsAboveThreshold(conditions, threshold, campaigns);
        row[absl::StrFormat("above_%.0f", 100 * threshold)] =
            static_cast<double>(above) / campaigns;
      }
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

absl::StatusOr<int> Main(const std::vector<std::string>& words) {
  int campaigns = 10000;
  bool json = false, thresholds = false;
  for (const std::string& word : words) {
    std::string_view argument = word;
    if (argument == "--help") return processes::Print(kUsage);
    const bool number = absl::ConsumePrefix(&argument, "--campaigns=");
    if (number && absl::SimpleAtoi(argument, &campaigns) && campaigns > 0) continue;
    if (argument == "--json" && !number) {
      json = true;
      continue;
    }
    if (argument == "--thresholds" && !number) {
      thresholds = true;
      continue;
    }
    return absl::InvalidArgumentError(absl::StrCat(word, " is not understood\n\n", kUsage));
  }
  if (thresholds) {
    std::cout << Thresholds(campaigns).dump(1) << "\n";
    return 0;
  }
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  if (!json) {
    std::cout << "sd of a pair's log ratio 2 %; alarms: campaigns with a false FASTER or SLOWER\n"
                 "campaign                        noise    effect  alarms (95 % interval)       "
                 "found     called   same     unsure    covers   processes/case  false/called\n";
  }
  for (const Row& row : Rows(campaigns)) {
    const SimulationResult result = Simulate(row.simulation);
    if (json) {
      all.push_back(ToJson(row, result));
    } else {
      std::cout << TextRow(row, result) << std::flush;
    }
  }
  if (json) std::cout << all.dump(1) << "\n";
  return 0;
}

}  // namespace
}  // namespace assay::compare

int main(int argc, char** argv) {
  return assay::processes::ProgramMain(argc, argv,
                                       {.name = "simulation", .run = assay::compare::Main});
}
