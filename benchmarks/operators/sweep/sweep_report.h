#ifndef ASSAY_BENCHMARKS_OPERATORS_SWEEP_SWEEP_REPORT_H_
#define ASSAY_BENCHMARKS_OPERATORS_SWEEP_SWEEP_REPORT_H_

// ---------------------------------------------------------------------------------------------
// sweep_report.h: writes the results of a sweep as lines of JSON and as a table for people, and
// compares them with another sweep's.
//
// Example:
//   std::cout << Report(results, /*verbose=*/false);
// ---------------------------------------------------------------------------------------------

#include <regex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/operators/sweep/operator_check.h"

namespace assay::sweep {

// One line, with its end.
std::string ToJsonLine(const OperatorResult& result);

// NotFound for a file that does not exist, InvalidArgument, naming file and line, for one that is
// no sweep's.
absl::StatusOr<std::vector<OperatorResult>> ReadResults(const std::string& path);
// Writes the whole file or nothing.
absl::Status WriteResults(const std::string& path, const std::vector<OperatorResult>& results);

// How many calls have each finding, and which were not verified: all, or the first few of each
// finding. Reasons are whole with `verbose` and where there are few results. An operator counts as
// verified where all its calls are.
std::string Report(const std::vector<OperatorResult>& results, bool verbose);

// Whether an operator differs from float64 or from itself, writes to its arguments, gave nothing to
// compare, crashed or hung.
bool HasWrong(const std::vector<OperatorResult>& results);

// Why a sweep without wrong operators is no pass: nothing was verified, or a call that the user asked
// for was not, by a row or, with `all_asked`, by a library. "" where it is one. A call whose results
// are free has its reason in the table, so it was looked at.
std::string Missing(const std::vector<OperatorResult>& results, bool all_asked);

// A line for each operator that was verified before and is not now, that is wrong now and was not
// before, or that is gone; only of those whose names match.
std::vector<std::string> Worse(const std::vector<OperatorResult>& before,
                               const std::vector<OperatorResult>& now, const std::regex& filter);

}  // namespace assay::sweep

#endif  // ASSAY_BENCHMARKS_OPERATORS_SWEEP_SWEEP_REPORT_H_
