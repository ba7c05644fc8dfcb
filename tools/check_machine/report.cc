#include "tools/check_machine/report.h"

#include <algorithm>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "nlohmann/json.hpp"

namespace assay::check_machine {
namespace {

// What is bad stands out in a terminal without colours.
std::string_view StateWord(FactState state) {
  switch (state) {
    case GOOD:
      return "good";
    case BAD:
      return "BAD";
    default:
      return "unknown";
  }
}

// Characters, for columns: UTF-8's continuation bytes don't count.
size_t Width(std::string_view text) {
  return std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; });
}

std::string Padded(std::string_view text, size_t width) {
  return absl::StrCat(text, std::string(width - std::min(width, Width(text)), ' '));
}

std::string Row(const std::string (&cells)[4], const size_t (&widths)[3]) {
  std::string row;
  for (int i = 0; i < 3; ++i) absl::StrAppend(&row, Padded(cells[i], widths[i]), "  ");
  absl::StrAppend(&row, cells[3]);
  row.erase(row.find_last_not_of(' ') + 1);
  return row + "\n";
}

std::string TextReport(const Environment& environment) {
  size_t widths[3] = {4, 7, 5};
  for (const MachineFact& fact : environment.facts()) {
    widths[0] = std::max(widths[0], Width(fact.name()));
    widths[2] = std::max(widths[2], Width(fact.value()));
  }
  std::string text = Row({"fact", "state", "value", "advice"}, widths);
  for (const MachineFact& fact : environment.facts()) {
    text += Row({fact.name(), std::string(StateWord(fact.state())), fact.value(), fact.advice()},
                widths);
  }
  return absl::StrCat(text, "\n", CountOf(GOOD, environment), " good, ", CountOf(BAD, environment),
                      " bad, ", CountOf(UNKNOWN, environment), " unknown\n");
}

std::string JsonReport(const Environment& environment) {
  nlohmann::ordered_json report;
  report["facts"] = nlohmann::ordered_json::array();
  for (const MachineFact& fact : environment.facts()) {
    report["facts"].push_back({{"name", fact.name()},
                               {"state", FactState_Name(fact.state())},
                               {"value", fact.value()},
                               {"advice", fact.advice()}});
  }
  report["good"] = CountOf(GOOD, environment);
  report["bad"] = CountOf(BAD, environment);
  report["unknown"] = CountOf(UNKNOWN, environment);
  return report.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string CsvReport(const Environment& environment) {
  std::string csv = "name,state,value,advice\r\n";
  for (const MachineFact& fact : environment.facts()) {
    absl::StrAppend(&csv, output::CsvField(fact.name()), ",", FactState_Name(fact.state()), ",",
                    output::CsvField(fact.value()), ",", output::CsvField(fact.advice()), "\r\n");
  }
  return csv;
}

}  // namespace

std::string Report(const Environment& environment, output::Format format) {
  switch (format) {
    case output::Format::kJson:
      return JsonReport(environment);
    case output::Format::kCsv:
      return CsvReport(environment);
    default:
      return TextReport(environment);
  }
}

int CountOf(FactState state, const Environment& environment) {
  return static_cast<int>(
      std::count_if(environment.facts().begin(), environment.facts().end(),
                    [&](const MachineFact& fact) { return fact.state() == state; }));
}

}  // namespace assay::check_machine
