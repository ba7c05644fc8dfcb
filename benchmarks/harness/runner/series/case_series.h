#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_SERIES_CASE_SERIES_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_SERIES_CASE_SERIES_H_

// ---------------------------------------------------------------------------------------------
// case_series.h: runs many cases in one process of their runner. A case counts as passed only if
// the runner testified so (case_run.h): exit code 0 is not enough, because a process that something
// ended early can have it, too. A case at which the process dies is named, and the others still
// run.
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

// Reads a file with one line per case: its test, the two words of its testimony, its arguments,
// separated by blanks. NotFound where there is no such file, InvalidArgument for a line with fewer
// words and for a file without lines.
absl::StatusOr<std::vector<SeriesCase>> ReadSeriesCases(const std::string& path);

struct CaseSeriesOptions {
  std::string runner;  // the runner's program
  std::string folder;  // where this run writes its files; they stay there
};

// Prints what the runner prints. At the end it lists on `out` the cases that failed, with the
// command that runs each alone. Once *interrupted is true, it ends the running case and names it.
// Returns the exit code: 0 if every case testified, 1 if one was lost, else the worst.
int RunCases(const std::vector<SeriesCase>& cases, const CaseSeriesOptions& options,
             const std::atomic<bool>* interrupted, std::ostream& out);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_SERIES_CASE_SERIES_H_
