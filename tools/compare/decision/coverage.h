// -----------------------------------------------------------------------------
// File: coverage.h
// -----------------------------------------------------------------------------
//
// Finds what the baseline of a case has and the candidate lacks. A gate passes only if nothing is
// lost: a case that is gone, skipped, no longer verified or no longer measured never counts as "not
// slower".
//
// Not for runs that failed: their outcome has an exit code other than 0.
//
//   Coverage baseline, candidate;
//   baseline.Add(PASS, medians);
//   LossesOf(baseline, candidate);   // {"the candidate has no run of it"}

#ifndef ASSAY_TOOLS_COMPARE_DECISION_COVERAGE_H_
#define ASSAY_TOOLS_COMPARE_DECISION_COVERAGE_H_

#include <map>
#include <string>
#include <vector>

#include "tools/compare/decision/measured_process.h"

namespace assay::compare {

// All runs of one side of a case.
class Coverage {
 public:
  void Add(Outcome outcome, const std::vector<ModeMedian>& medians);

  int runs() const { return runs_; }
  int Of(Outcome outcome) const;
  // Modes that at least `runs` of its runs have measured.
  std::vector<std::string> ModesOf(int runs) const;

 private:
  int runs_ = 0;
  std::map<Outcome, int> outcomes_;
  std::map<std::string, int> modes_;
};

// One sentence each. A mode is lost unless each run of the candidate has it. Verification is lost
// if any run of either side lacks it, unless both sides have none.
std::vector<std::string> LossesOf(const Coverage& baseline, const Coverage& candidate);

}  // namespace assay::compare

#endif  // ASSAY_TOOLS_COMPARE_DECISION_COVERAGE_H_
