// -----------------------------------------------------------------------------
// File: cheat_goals.h
// -----------------------------------------------------------------------------
//
// G9's other half: programs that are right when a verdict calls them and cheat where they are timed,
// each a row: 1 where it is caught. Their honest twins share one row.
//
// Not for mistakes of the engine's own: mutants.h.
//
//   for (const Goal& goal : CheatGoals()) ...

#ifndef ASSAY_CI_CERTIFY_CHEAT_GOALS_H_
#define ASSAY_CI_CERTIFY_CHEAT_GOALS_H_

#include <vector>

#include "ci/certify/goal.h"

namespace assay::certify {

std::vector<Goal> CheatGoals();

}  // namespace assay::certify

#endif  // ASSAY_CI_CERTIFY_CHEAT_GOALS_H_
