#include "benchmarks/harness/load/load_generator.h"

#include <cstdlib>
#include <iostream>
#include <utility>

#include "absl/strings/str_cat.h"

namespace assay::load {
namespace {

struct ScenarioRow {
  Scenario scenario;
  std::string_view name;
};

constexpr ScenarioRow kScenarios[] = {{Scenario::kSingleStream, "single_stream"},
                                      {Scenario::kMultiStream, "multi_stream"},
                                      {Scenario::kServer, "server"},
                                      {Scenario::kOffline, "offline"}};

std::unique_ptr<LoadGenerator>& Registered() {
  static auto& generator = *new std::unique_ptr<LoadGenerator>;
  return generator;
}

}  // namespace

std::string_view ScenarioName(Scenario scenario) {
  for (const ScenarioRow& row : kScenarios)
    if (row.scenario == scenario) return row.name;
  return "";
}

absl::StatusOr<Scenario> ParseScenario(std::string_view name) {
  for (const ScenarioRow& row : kScenarios)
    if (row.name == name) return row.scenario;
  return absl::InvalidArgumentError(
      absl::StrCat("'", name, "': one of single_stream, multi_stream, server, offline"));
}

bool RegisterGenerator(std::unique_ptr<LoadGenerator> generator) {
  if (Registered() != nullptr) {
    std::cerr << "assay: two load generators are linked: " << Registered()->Name() << " and "
              << generator->Name() << "\n";
    std::abort();
  }
  Registered() = std::move(generator);
  return true;
}

LoadGenerator* LinkedGenerator() { return Registered().get(); }

}  // namespace assay::load
