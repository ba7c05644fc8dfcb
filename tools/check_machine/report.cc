#include "tools/check_machine/report.h"

#include <algorithm>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "nlohmann/json.hpp"

namespace assay::check_machine {
namespace {

// Bad facts are in capitals, to stand out in a terminal without colours.
std::string_view StateWord(FactState state) {
  switch (state) {
    case FACT_GOOD:
      return "good";
    case FACT_BAD:
      return "BAD";
    default:
      return "unknown";
  }
}

// "GOOD", "BAD" or "UNKNOWN": the enumerator without its enum's prefix.
std::string StateName(FactState state) {
  return std::string(absl::StripPrefix(FactState_Name(state), "FACT_"));
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
  return absl::StrCat(text, "\n", CountOf(FACT_GOOD, environment), " good, ",
                      CountOf(FACT_BAD, environment), " bad, ", CountOf(FACT_UNKNOWN, environment),
                      " unknown\n");
}

std::string JsonReport(const Environment& environment) {
  nlohmann::ordered_json report;
  report["facts"] = nlohmann::ordered_json::array();
  for (const MachineFact& fact : environment.facts()) {
    report["facts"].push_back({{"name", fact.name()},
                               {"state", StateName(fact.state())},
                               {"value", fact.value()},
                               {"advice", fact.advice()}});
  }
  report["good"] = CountOf(FACT_GOOD, environment);
  report["bad"] = CountOf(FACT_BAD, environment);
  report["unknown"] = CountOf(FACT_UNKNOWN, environment);
  return report.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string CsvReport(const Environment& environment) {
  std::string csv = "name,state,value,advice\r\n";
  for (const MachineFact& fact : environment.facts()) {
    absl::StrAppend(&csv, output::CsvField(fact.name()), ",", StateName(fact.state()), ",",
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
