#ifndef ASSAY_BENCHMARKS_HARNESS_BASE_EXIT_CODE_H_
#define ASSAY_BENCHMARKS_HARNESS_BASE_EXIT_CODE_H_

// ---------------------------------------------------------------------------------------------
// exit_code.h: what the exit codes of this suite's programs mean, and the way to end with one.
//
// Not for the code of a record's outcome: record/outcome.h.
//
// Example:
//   if (!settings.ok()) return base::Fail("compare", settings.status().message(), base::kUsageError);
// ---------------------------------------------------------------------------------------------

#include <string_view>

namespace assay::base {

enum ExitCode : int {
  kRight = 0,
  kProductWrong = 1,  // what was measured computes the wrong thing, or crashed
  kSurroundings = 2,  // the machine, a file or the network prevents it
  kUsageError = 3,    // the command line is wrong
};

// The code of both together: 1 before all others, since it says that the product is wrong; else the larger.
int WorseCode(int a, int b);

// Writes "program: message" to standard error and returns the code.
int Fail(std::string_view program, std::string_view message, ExitCode code);

}  // namespace assay::base

#endif  // ASSAY_BENCHMARKS_HARNESS_BASE_EXIT_CODE_H_
