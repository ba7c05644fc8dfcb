// -----------------------------------------------------------------------------
// File: process_goals.h
// -----------------------------------------------------------------------------
//
// Goals that need fresh processes: start-up, the spread of what processes report, real A/A
// comparisons, and whether this tree's own tests hold beside a busy CPU.
//
// Not for what one process shows: engine_goals.h.
//
//   Programs programs = {.subject = "ci/certify/spread_subject", ...};
//   for (const Goal& goal : StartGoals(programs, /*quick=*/true)) ...

#ifndef ASSAY_CI_CERTIFY_PROCESS_GOALS_H_
#define ASSAY_CI_CERTIFY_PROCESS_GOALS_H_

#include <string>
#include <vector>

#include "ci/certify/goal.h"

namespace assay::certify {

// Paths of what is started; empty for what was not built.
struct Programs {
  std::string self;                        // this program: --null-reading prints one
  std::string list;                        // //benchmarks:list
  std::vector<std::string> measured_case;  // a runner and the flags that name a small case
  std::string compare;                     // //tools/compare
  std::string subject;                     // spread_subject
  std::string python_subject;              // starts spread_subject.py under @oracle_python
  std::string allocation_test;             // //benchmarks/harness/sampling:allocation_test
  std::vector<std::string> tests;
  std::string kernel;  // //tools:kernel
  std::string
      cheats;  // a library of kernels that cheat (benchmarks/operators/kernel/cheating_kernels.cc)
};

Goal AllocationGoal(const Programs& programs);                                     // G1
std::vector<Goal> NullReadingGoals(const Programs& programs, bool quick);          // G2
std::vector<Goal> SpreadGoals(const Programs& programs, bool quick);               // G4
std::vector<Goal> RealComparisonGoals(const Programs& programs, int comparisons);  // G6
std::vector<Goal> KernelCheatGoals(const Programs& programs);                      // G9
std::vector<Goal> StartGoals(const Programs& programs, bool quick);                // G11
std::vector<Goal> FlakeGoals(const Programs& programs, int repetitions);           // G16

}  // namespace assay::certify

#endif  // ASSAY_CI_CERTIFY_PROCESS_GOALS_H_
