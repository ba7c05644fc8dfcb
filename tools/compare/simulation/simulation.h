// -----------------------------------------------------------------------------
// File: simulation.h
// -----------------------------------------------------------------------------
//
// Measures how often the procedure errs and how often it finds a difference: runs whole campaigns,
// with the same code as real ones, on simulated machines.
//
// Not for real noise: that is what `//tools:compare -- --aa` shows.
//
//   SimulationResult result = Simulate({.conditions = {.effect = .02}, .campaigns = 10000});
//   result.ShareOf(Conclusion::kSlower);

#ifndef ASSAY_TOOLS_COMPARE_SIMULATION_SIMULATION_H_
#define ASSAY_TOOLS_COMPARE_SIMULATION_SIMULATION_H_

#include <cstdint>

#include "benchmarks/harness/statistics/testing/interval.h"
#include "tools/compare/decision/simulated_noise.h"

namespace assay::compare {

struct Simulation {
  SimulatedConditions conditions = {};
  int campaigns = 1000;
  int cases = 1;
  int pairs = 20;
  DecisionRules rules = {};
  uint64_t seed = 1;
};

struct SimulationResult {
  int64_t campaigns = 0;
  int64_t series = 0;         // of all campaigns
  int64_t verdicts[5] = {};   // by Conclusion
  int64_t true_effects = 0;   // series with an effect
  int64_t found = 0;          // of these, those called with the right sign
  int64_t false_alarms = 0;   // series without an effect, called FASTER or SLOWER
  int64_t alarming = 0;       // campaigns with at least one such series
  int64_t covered = 0;        // series whose interval holds the true ratio
  double mean_processes = 0;  // of a campaign

  double ShareOf(Conclusion verdict) const {
    return static_cast<double>(verdicts[static_cast<int>(verdict)]) / static_cast<double>(series);
  }
  double AlarmRate() const {
    return static_cast<double>(alarming) / static_cast<double>(campaigns);
  }
  // The share of false calls among FASTER and SLOWER, which Benjamini and Hochberg's procedure
  // bounds.
  double FalseDiscoveryRate() const {
    return found + false_alarms == 0
               ? 0
               : static_cast<double>(false_alarms) / static_cast<double>(found + false_alarms);
  }
  double Power() const { return static_cast<double>(found) / static_cast<double>(true_effects); }
  double Coverage() const { return static_cast<double>(covered) / static_cast<double>(series); }
};

SimulationResult Simulate(const Simulation& simulation);

// How many of `runs` single processes of the candidate are above a stored time of the baseline by more
// than the threshold (.2 is 20 %), on the same simulated machine at another time: the rule of a CI
// that keeps a number and a tolerance.
int64_t RunsAboveThreshold(const SimulatedConditions& conditions, double threshold, int runs,
                           uint64_t seed = 1);

// The exact (Clopper-Pearson) 95 % interval of a share.
statistics::Interval ShareInterval(int64_t hits, int64_t of);

}  // namespace assay::compare

#endif  // ASSAY_TOOLS_COMPARE_SIMULATION_SIMULATION_H_
