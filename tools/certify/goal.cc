#include "tools/certify/goal.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace assay::certify {

Verdict VerdictOf(const Goal& goal) {
  if (!goal.not_run.empty()) return Verdict::kNotRun;
  const bool kept =
      goal.bound == Bound::kAtMost ? goal.measured <= goal.wanted : goal.measured >= goal.wanted;
  return kept ? Verdict::kMet : Verdict::kMissed;
}

std::string_view VerdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::kMet:
      return "MET";
    case Verdict::kMissed:
      return "MISSED";
    case Verdict::kNotRun:
      return "NOT RUN";
  }
  std::abort();
}

int ExitCodeOf(const std::vector<Goal>& goals) {
  const bool missed = std::any_of(goals.begin(), goals.end(), [](const Goal& goal) {
    return VerdictOf(goal) == Verdict::kMissed;
  });
  return missed ? 1 : 0;
}

Goal NotRun(std::string id, std::string what, std::string reason) {
  return {.id = std::move(id), .what = std::move(what), .not_run = std::move(reason)};
}

}  // namespace assay::certify
