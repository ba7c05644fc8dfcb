#include "benchmarks/harness/load/load_generator.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace assay::load {
namespace {

// In the order of Scenario.
constexpr std::string_view kNames[] = {"single_stream", "multi_stream", "server", "offline"};

}  // namespace

std::string_view ScenarioName(Scenario scenario) { return kNames[static_cast<size_t>(scenario)]; }

absl::StatusOr<Scenario> ParseScenario(std::string_view name) {
  const auto* const found = std::find(std::begin(kNames), std::end(kNames), name);
  if (found != std::end(kNames)) return static_cast<Scenario>(found - kNames);
  return absl::InvalidArgumentError(
      absl::StrCat("'", name, "': one of ", absl::StrJoin(kNames, ", ")));
}

bool SentByLoadGen(const Load& load) {
  return load.burstiness == 0 && load.arrivals.empty() && load.concurrency == 0;
}

}  // namespace assay::load
