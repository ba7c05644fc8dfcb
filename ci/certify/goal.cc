#include "ci/certify/goal.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace assay::certify {

GoalState StateOf(const Goal& goal) {
  if (!goal.not_run.empty()) return GoalState::kNotRun;
  const bool kept =
      goal.bound == Bound::kAtMost ? goal.measured <= goal.wanted : goal.measured >= goal.wanted;
  if (kept) return GoalState::kMet;
  return goal.known_miss.empty() ? GoalState::kMissed : GoalState::kKnownMiss;
}

std::string_view StateName(GoalState verdict) {
  switch (verdict) {
    case GoalState::kMet:
      return "MET";
    case GoalState::kMissed:
      return "MISSED";
    case GoalState::kKnownMiss:
      return "KNOWN MISS";
    case GoalState::kNotRun:
      return "NOT RUN";
  }
  std::abort();
}

int ExitCodeOf(const std::vector<Goal>& goals) {
  const bool missed = std::any_of(goals.begin(), goals.end(), [](const Goal& goal) {
    return StateOf(goal) == GoalState::kMissed;
  });
  return missed ? 1 : 0;
}

Goal NotRun(std::string id, std::string what, std::string reason) {
  return {.id = std::move(id), .what = std::move(what), .not_run = std::move(reason)};
}

}  // namespace assay::certify
