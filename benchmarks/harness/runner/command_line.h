#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_COMMAND_LINE_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_COMMAND_LINE_H_

// ---------------------------------------------------------------------------------------------
// command_line.h: the runner's flags. They are ABSL_FLAGs, parsed as in all our programs.
//
// harness/base/flags.h says how words are read and what is refused.
//
// Not for: Google Benchmark's flags. They are left in argv for benchmark::Initialize.
//
// Example:
//   absl::StatusOr<CommandLine> line = ParseCommandLine(argc, argv);
// ---------------------------------------------------------------------------------------------

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace assay::runner {

struct CommandLine {
  bool help = false;
  // Arguments for Google Benchmark: argv[0], then every --benchmark_*.
  std::vector<std::string> benchmark_arguments;
  bool list_tests = false;     // --benchmark_list_tests
  bool console_format = true;  // not --benchmark_format=json or csv
  double min_time_s = -1;      // --benchmark_min_time, < 0 where not given
  // What the user typed, for the record; without what the case's script adds, such as --case.
  std::vector<std::string> as_given;
};

// Sets the ABSL_FLAGs that argv names. Fails on an unknown flag, a malformed value or a stray word,
// naming it and what is allowed.
absl::StatusOr<CommandLine> ParseCommandLine(int argc, char** argv);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_COMMAND_LINE_H_
