#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_COMMAND_LINE_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_COMMAND_LINE_H_

// ---------------------------------------------------------------------------------------------
// command_line.h: the words of a command line as values of flags: those of the table
// (configuration/case_flags.h), those of back ends (ABSL_FLAGs of their libraries) and Google
// Benchmark's.
//
// harness/base/flags.h says how words are read and what is refused.
//
// Not for: what the values mean (settings.h).
//
// Example:
//   absl::StatusOr<CommandLine> line = ParseCommandLine(argc, argv);
// ---------------------------------------------------------------------------------------------

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/base/flags.h"
#include "benchmarks/harness/base/short_help.h"
#include "benchmarks/harness/configuration/flag_spec.h"

namespace assay::runner {

struct CommandLine {
  base::Help help = base::Help::kNone;
  configuration::FlagValues values;  // of the table's flags that were given
  std::map<std::string, std::string>
      backend_flags;  // other than the default, as ABSL_FLAG has them
  // Arguments for Google Benchmark: argv[0], then every --benchmark_*.
  std::vector<std::string> benchmark_arguments;
  bool list_tests = false;        // --benchmark_list_tests
  bool console_format = true;     // not --benchmark_format=json or csv
  bool tabular_counters = false;  // the library aligns them, and writes their numbers
  double min_time_s = -1;         // --benchmark_min_time, < 0 where not given
  // The words that the user typed, for the record; without those that the case's script adds, such as --case.
  std::vector<std::string> as_given;
};

// Reads the command line, and sets the ABSL_FLAGs that it names. Fails on an unknown flag, a malformed value, a flag with
// two values or a stray word, naming it and what is allowed.
// `more`: flags that this program alone has.
absl::StatusOr<CommandLine> ParseCommandLine(int argc, char** argv,
                                             const base::FlagTable& more = {});

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_COMMAND_LINE_H_
