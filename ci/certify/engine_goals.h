// -----------------------------------------------------------------------------
// File: engine_goals.h
// -----------------------------------------------------------------------------
//
// The costs of the sampling engine, and how true it is, on this machine's CPU, with Google Benchmark
// beside it in the same process.
//
// Not for several processes: process_goals.h. Not for what can be simulated: simulated_goals.h.
//
//   for (const Goal& goal : OverheadGoals({.quick = true})) ...

#ifndef ASSAY_CI_CERTIFY_ENGINE_GOALS_H_
#define ASSAY_CI_CERTIFY_ENGINE_GOALS_H_

#include <vector>

#include "ci/certify/goal.h"

namespace assay::certify {

// A tenth of the samples and repetitions, where `quick`.
std::vector<Goal> OverheadGoals(bool quick);    // G1
std::vector<Goal> KnownCostGoals(bool quick);   // G3
std::vector<Goal> EfficiencyGoals(bool quick);  // G5
std::vector<Goal> ThroughputGoals(bool quick);  // G15

// The time in ns that an empty function takes beyond the calibrated null reading: one process's
// part of G2.
double NullReadingNs();

}  // namespace assay::certify

#endif  // ASSAY_CI_CERTIFY_ENGINE_GOALS_H_
