// -----------------------------------------------------------------------------
// File: simulated_goals.h
// -----------------------------------------------------------------------------
//
// Goals that are proved by simulation and on the fake device: whole campaigns of comparisons,
// coverage of intervals, the stop rule's honesty, mutants, physics, and the record's JSON. Seeded:
// every run of one build gives the same figures.
//
// Not for what this machine's clock must show: engine_goals.h.
//
//   for (const Goal& goal : FalseAlarmGoals(/*quick=*/true)) ...

#ifndef ASSAY_CI_CERTIFY_SIMULATED_GOALS_H_
#define ASSAY_CI_CERTIFY_SIMULATED_GOALS_H_

#include <vector>

#include "ci/certify/goal.h"

namespace assay::certify {

// A tenth of the repetitions, where `quick`.
std::vector<Goal> FalseAlarmGoals(bool quick);  // G6
std::vector<Goal> PowerGoals(bool quick);       // G7; of its rows against peers nothing is left out
std::vector<Goal> CoverageGoals(bool quick);    // G8
std::vector<Goal> MutantGoals(bool quick);      // G9
std::vector<Goal> RecordGoals(bool quick);      // G12
std::vector<Goal> StopRuleGoals(bool quick);    // G13
std::vector<Goal> PhysicsGoals(bool quick);     // G14

}  // namespace assay::certify

#endif  // ASSAY_CI_CERTIFY_SIMULATED_GOALS_H_
