#include "ci/certify/report.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "nlohmann/json.hpp"

namespace assay::certify {
namespace {

using Cells = std::array<std::string, 7>;

std::string Figure(double value, const std::string& unit) {
  return absl::StrFormat("%.4g%s%s", value, unit.empty() ? "" : " ", unit);
}

Cells CellsOf(const Goal& goal) {
  const bool run = StateOf(goal) != GoalState::kNotRun;
  return {goal.id,
          std::string(StateName(StateOf(goal))),
          run ? Figure(goal.measured, goal.unit) : "-",
          run ? absl::StrCat(goal.bound == Bound::kAtMost ? "<= " : ">= ",
                             Figure(goal.wanted, goal.unit))
              : "-",
          goal.what,
          goal.peer,
          run ? goal.detail : goal.not_run};
}

int CountOf(GoalState verdict, const std::vector<Goal>& goals) {
  return static_cast<int>(std::count_if(
      goals.begin(), goals.end(), [&](const Goal& goal) { return StateOf(goal) == verdict; }));
}

// Peer and detail go to a line of their own, since the table would be too wide for any terminal.
std::string TextReport(const std::vector<Goal>& goals) {
  const Cells head = {"goal", "verdict", "measured", "wanted", "what"};
  std::array<size_t, 4> widths = {};
  for (size_t i = 0; i < widths.size(); ++i) widths[i] = head[i].size();
  for (const Goal& goal : goals) {
    const Cells cells = CellsOf(goal);
    for (size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], cells[i].size());
  }
  const auto row = [&](const Cells& cells) {
    std::string line;
    for (size_t i = 0; i < widths.size(); ++i) {
      absl::StrAppend(&line, cells[i], std::string(widths[i] - cells[i].size() + 2, ' '));
    }
    return absl::StrCat(line, cells[4], "\n");
  };
  std::string text = row(head);
  const std::string indent(widths[0] + 4, ' ');
  for (const Goal& goal : goals) {
    const Cells cells = CellsOf(goal);
    text += row(cells);
    if (!cells[5].empty()) absl::StrAppend(&text, indent, "peer: ", cells[5], "\n");
    if (!cells[6].empty()) absl::StrAppend(&text, indent, cells[6], "\n");
    if (!goal.known_miss.empty()) absl::StrAppend(&text, indent, "known: ", goal.known_miss, "\n");
  }
  return absl::StrCat(text, "\n", CountOf(GoalState::kMet, goals), " met, ",
                      CountOf(GoalState::kMissed, goals), " missed, ",
                      CountOf(GoalState::kKnownMiss, goals), " known to be missed, ",
                      CountOf(GoalState::kNotRun, goals), " not run\n");
}

nlohmann::ordered_json Number(double value, bool run) {
  return run && std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
}

std::string JsonReport(const std::vector<Goal>& goals) {
  nlohmann::ordered_json report;
  report["goals"] = nlohmann::ordered_json::array();
  for (const Goal& goal : goals) {
    const bool run = StateOf(goal) != GoalState::kNotRun;
    report["goals"].push_back({{"goal", goal.id},
                               {"what", goal.what},
                               {"measured", Number(goal.measured, run)},
                               {"bound", goal.bound == Bound::kAtMost ? "at most" : "at least"},
                               {"wanted", Number(goal.wanted, run)},
                               {"unit", goal.unit},
                               {"verdict", StateName(StateOf(goal))},
                               {"peer", goal.peer},
                               {"detail", goal.detail},
                               {"not_run", goal.not_run},
                               {"known_miss", goal.known_miss}});
  }
  report["met"] = CountOf(GoalState::kMet, goals);
  report["missed"] = CountOf(GoalState::kMissed, goals);
  report["known_misses"] = CountOf(GoalState::kKnownMiss, goals);
  report["not_run"] = CountOf(GoalState::kNotRun, goals);
  return report.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string CsvReport(const std::vector<Goal>& goals) {
  std::string csv =
      "goal,what,measured,bound,wanted,unit,verdict,peer,detail,not_run,known_miss\r\n";
  const auto number = [](const Goal& goal, double value) {
    return StateOf(goal) != GoalState::kNotRun && std::isfinite(value)
               ? absl::StrFormat("%.17g", value)
               : "";
  };
  for (const Goal& goal : goals) {
    absl::StrAppend(&csv, goal.id, ",", output::CsvField(goal.what), ",",
                    number(goal, goal.measured), ",",
                    goal.bound == Bound::kAtMost ? "at most" : "at least", ",");
    absl::StrAppend(&csv, number(goal, goal.wanted), ",", goal.unit, ",", StateName(StateOf(goal)),
                    ",", output::CsvField(goal.peer), ",", output::CsvField(goal.detail), ",",
                    output::CsvField(goal.not_run), ",", output::CsvField(goal.known_miss), "\r\n");
  }
  return csv;
}

}  // namespace

std::string Report(const std::vector<Goal>& goals, output::Format format) {
  switch (format) {
    case output::Format::kJson:
      return JsonReport(goals);
    case output::Format::kCsv:
      return CsvReport(goals);
    default:
      return TextReport(goals);
  }
}

}  // namespace assay::certify
