#ifndef ASSAY_BENCHMARKS_HARNESS_RECORD_MAJORITY_H_
#define ASSAY_BENCHMARKS_HARNESS_RECORD_MAJORITY_H_

// ---------------------------------------------------------------------------------------------
// majority.h: one verdict from several runs of one comparison (--accuracy-runs), for executions
// whose errors differ from run to run.
//
// Not for: faults that are the same in every run. A crash, a wrong shape or a missing reference is
// not voted on.
//
// Example:
//   do votes.push_back(Run()); while (votes.size() < runs && IsVote(votes.back()));
//   Verdict verdict = MajorityOf(votes);
// ---------------------------------------------------------------------------------------------

#include <vector>

#include "defs/proto/record.pb.h"

namespace assay::record {

// Whether the outcome is about numbers: PASS, FAIL_ACCURACY, FAIL_NONFINITE or
// NONDETERMINISTIC_BASELINE. Any other outcome is final.
bool IsVote(const Verdict& verdict);

// The first verdict that is no vote, if there is one. Otherwise the first PASS if more than half
// passed, else the first of the most frequent failure. `runs` and `passed_runs` say how many there
// were. `verdicts` is not empty.
Verdict MajorityOf(const std::vector<Verdict>& verdicts);

}  // namespace assay::record

#endif  // ASSAY_BENCHMARKS_HARNESS_RECORD_MAJORITY_H_
