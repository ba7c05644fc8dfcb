#include <set>

#include "benchmarks/harness/record/outcome.h"
#include "tools/compare/report/report.h"

namespace assay::compare {

int ExitCodeOf(const Report& report) {
  std::set<int> codes;
  for (const CaseResult& c : report.result.cases) {
    if (!c.failure.has_value()) continue;
    const Outcome outcome = c.failure->outcome;
    codes.insert(outcome == OUTCOME_UNSPECIFIED ? 3 : record::ExitCode(outcome));
  }
  for (const CaseResult& c : report.result.cases) {
    if (report.gate && !c.lost.empty()) codes.insert(2);
  }
  if (report.gate && !report.result.lost.empty()) codes.insert(2);
  for (const CaseResult& c : report.result.cases) {
    if (!c.missing.empty()) codes.insert(2);
  }
  for (const SeriesResult& series : report.result.series) {
    const bool case_failed = report.result.cases[series.case_index].failure.has_value();
    if (series.verdict == Conclusion::kNotCompared && !case_failed) codes.insert(2);  // flagged
    if (!report.gate) continue;
    if (series.verdict == Conclusion::kSlower) codes.insert(1);
    if (series.verdict == Conclusion::kInconclusive) codes.insert(4);
    if (series.verdict == Conclusion::kFaster && !series.Unverified().empty()) codes.insert(2);
  }
  if (report.result.interrupted) codes.insert(2);
  for (const int code : {1, 3, 2, 4}) {
    if (codes.count(code) > 0) return code;
  }
  // If nothing was compared, the result is never "same or faster".
  return report.result.series.empty() ? 2 : 0;
}

}  // namespace assay::compare
