#include "tools/compare/simulation/simulation.h"

#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"

namespace assay::compare {
namespace {

void Count(const Simulation& simulation, const CampaignResult& campaign, SimulationResult& result) {
  bool alarm = false;
  const double effect = simulation.conditions.effect;
  const int affected = simulation.conditions.affected_cases;
  for (const SeriesResult& series : campaign.series) {
    const bool has_effect =
        effect != 0 && (affected < 0 || static_cast<int>(series.case_index) < affected);
    const double truth = has_effect ? std::log1p(effect) : 0.0;
    ++result.series;
    ++result.verdicts[static_cast<int>(series.verdict)];
    const bool called =
        series.verdict == Conclusion::kSlower || series.verdict == Conclusion::kFaster;
    result.true_effects += has_effect;
    result.found +=
        has_effect && series.verdict == (effect > 0 ? Conclusion::kSlower : Conclusion::kFaster);
    result.false_alarms += called && !has_effect;
    alarm |= called && !has_effect;
    result.covered += series.estimate.has_value() && series.estimate->interval.low <= truth &&
                      truth <= series.estimate->interval.high;
  }
  ++result.campaigns;
  result.alarming += alarm;
}

}  // namespace

SimulationResult Simulate(const Simulation& simulation) {
  std::vector<std::string> names;
  for (int i = 0; i < simulation.cases; ++i) names.push_back(absl::StrCat("case_", i));
  SimulationResult result;
  int64_t processes = 0;
  for (int i = 0; i < simulation.campaigns; ++i) {
    const uint64_t seed = simulation.seed * 1000003 + i;
    SimulatedMachine machine(simulation.conditions, seed);
    CampaignOptions options;
    options.pairs = simulation.pairs;
    options.seed = seed;
    options.rules = simulation.rules;
    options.second_opinion = false;
    const CampaignResult campaign = RunCampaign(
        names, options, [&](const ProcessRequest& request) { return machine.Run(request); },
        [](const CampaignProgress&) {}, nullptr);
    Count(simulation, campaign, result);
    processes += campaign.processes;
  }
  result.mean_processes = static_cast<double>(processes) / simulation.campaigns;
  return result;
}

int64_t RunsAboveThreshold(const SimulatedConditions& conditions, double threshold, int runs,
                           uint64_t seed) {
  int64_t above = 0;
  for (int i = 0; i < runs; ++i) {
    // Each side at a time of its own: no spell reaches from the one to the other.
    SimulatedMachine then(conditions, seed * 1000003 + 2 * i);
    SimulatedMachine now(conditions, seed * 1000003 + 2 * i + 1);
    const double stored_ns = then.Run({.side = SideName::kBaseline}).medians[0].median_ns;
    const double new_ns = now.Run({.side = SideName::kCandidate}).medians[0].median_ns;
    above += new_ns > stored_ns * (1 + threshold);
  }
  return above;
}

statistics::Interval ShareInterval(int64_t hits, int64_t of) {
  using Binomial = boost::math::binomial_distribution<>;
  const auto n = static_cast<double>(of), k = static_cast<double>(hits);
  return {Binomial::find_lower_bound_on_p(n, k, 0.025),
          Binomial::find_upper_bound_on_p(n, k, 0.025)};
}

}  // namespace assay::compare
