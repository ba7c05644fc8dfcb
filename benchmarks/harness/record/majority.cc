#include "benchmarks/harness/record/majority.h"

#include <algorithm>
#include <cstdint>

namespace assay::record {

bool IsVote(const Verdict& verdict) {
  switch (verdict.outcome()) {
    case PASS:
    case FAIL_ACCURACY:
    case FAIL_NONFINITE:
    case NONDETERMINISTIC_BASELINE:
      return true;
    default:
      return false;
  }
}

Verdict MajorityOf(const std::vector<Verdict>& verdicts) {
  const auto votes_for = [&](Outcome outcome) {
    return std::count_if(verdicts.begin(), verdicts.end(),
                         [&](const Verdict& v) { return v.outcome() == outcome; });
  };
  const auto passed = votes_for(PASS);
  const bool passes = 2 * passed > static_cast<int64_t>(verdicts.size());
  // Orders the verdicts: one that is no vote comes first, then by how often the outcome was seen.
  const auto weight = [&](const Verdict& verdict) -> int64_t {
    if (!IsVote(verdict)) return static_cast<int64_t>(verdicts.size()) + 1;
    if (verdict.outcome() == PASS) return passes ? passed : 0;
    return passes ? 0 : votes_for(verdict.outcome());
  };
  Verdict result =
      *std::max_element(verdicts.begin(), verdicts.end(),
                        [&](const Verdict& a, const Verdict& b) { return weight(a) < weight(b); });
  result.set_runs(static_cast<int32_t>(verdicts.size()));
  result.set_passed_runs(static_cast<int32_t>(passed));
  return result;
}

}  // namespace assay::record
