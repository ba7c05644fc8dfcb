#include "benchmarks/harness/load/load_generator.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace assay::load {
namespace {

// In the order of Scenario.
constexpr std::string_view kNames[] = {"single_stream", "multi_stream", "server", "offline"};

std::unique_ptr<LoadGenerator>& Registered() {
  static auto& generator = *new std::unique_ptr<LoadGenerator>;
  return generator;
}

}  // namespace

std::string_view ScenarioName(Scenario scenario) { return kNames[static_cast<size_t>(scenario)]; }

absl::StatusOr<Scenario> ParseScenario(std::string_view name) {
  const auto* const found = std::find(std::begin(kNames), std::end(kNames), name);
  if (found != std::end(kNames)) return static_cast<Scenario>(found - kNames);
  return absl::InvalidArgumentError(
      absl::StrCat("'", name, "': one of ", absl::StrJoin(kNames, ", ")));
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
