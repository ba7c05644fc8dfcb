// -----------------------------------------------------------------------------
// File: goal.h
// -----------------------------------------------------------------------------
//
// One line of the certificate: a figure, the bound that it must keep, what a peer reaches in the
// same run, and the verdict that follows from figure and bound alone.
//
// Not for taking the figure: engine_goals.h and its siblings.
//
//   Goal goal = {.id = "G1", .what = "a sample of nothing", .measured = 61, .wanted = 80,
//                .unit = "ns"};
//   StateOf(goal) == GoalState::kMet

#ifndef ASSAY_CI_CERTIFY_GOAL_H_
#define ASSAY_CI_CERTIFY_GOAL_H_

#include <string>
#include <string_view>
#include <vector>

namespace assay::certify {

enum class Bound { kAtMost, kAtLeast };
enum class GoalState { kMet, kMissed, kKnownMiss, kNotRun };

struct Goal {
  std::string id = {};  // "G1", as UsageText() (options.h) lists them
  std::string what = {};
  double measured = 0;
  Bound bound = Bound::kAtMost;
  double wanted = 0;
  std::string unit = {};  // of both; "" for counts
  std::string peer = {};  // the peer and what it reached; "" without one
  std::string detail = {};
  std::string not_run = {};     // the reason, where there is no figure
  std::string known_miss = {};  // the reason, where it is known to be missed: known_misses.h
};

// A figure that is not a number misses.
GoalState StateOf(const Goal& goal);
std::string_view StateName(GoalState verdict);  // "MET", "MISSED", "KNOWN MISS", "NOT RUN"

// 0: every goal that was run is met, or known to be missed; 1: at least one is missed.
int ExitCodeOf(const std::vector<Goal>& goals);

Goal NotRun(std::string id, std::string what, std::string reason);

}  // namespace assay::certify

#endif  // ASSAY_CI_CERTIFY_GOAL_H_
