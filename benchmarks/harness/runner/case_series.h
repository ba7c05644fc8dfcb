#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_CASE_SERIES_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_CASE_SERIES_H_

// ---------------------------------------------------------------------------------------------
// case_series.h: runs many cases in one process of their runner, and believes of each no more than
// what the runner testified about it (case_run.h): not an exit code, which is also that of a process
// that something ended early. A case at which the process dies is named, and the others still run.
//
// Not for: measuring (tools/suite).
//
// Example:
//   absl::StatusOr<std::vector<SeriesCase>> cases = ReadSeriesCases("cases.txt");
//   return RunCases(*cases, {.runner = "runner", .folder = folder}, &interrupted, std::cout);
// ---------------------------------------------------------------------------------------------

#include <atomic>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace assay::runner {

struct SeriesCase {
  std::string test;                    // label of the test of this case alone
  std::string testimony;               // "verify //benchmarks/mlp:mlp_fp32_b1"
  std::vector<std::string> arguments;  // of the runner
};

// A file with a line for each case: its test, the two words of its testimony, its arguments, all
// with blanks between them. NotFound where there is no such file, InvalidArgument for a line of
// fewer words and for a file without lines.
absl::StatusOr<std::vector<SeriesCase>> ReadSeriesCases(const std::string& path);

struct CaseSeriesOptions {
  std::string runner;  // the program
  std::string folder;  // for files of this run, which it leaves there
};

// Shows what the runner prints, and says in the end on `out` which cases are not right, with the
// command that runs each alone. Once *interrupted is true, the case that runs is ended and named.
// Returns the exit code: 0 where every case has testified, 1 where one was lost, else the worst.
int RunCases(const std::vector<SeriesCase>& cases, const CaseSeriesOptions& options,
             const std::atomic<bool>* interrupted, std::ostream& out);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_CASE_SERIES_H_
