#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_MISTAKE_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_MISTAKE_H_

// ---------------------------------------------------------------------------------------------
// mistake.h: --mistake, for a program that knows it.
//
// Not for: what mistakes there are (execution::Program::Mistakes()).
//
// Example:
//   absl::Status made = MakeMistake(*program, "scaled_layer1.0");
// ---------------------------------------------------------------------------------------------

#include <string>

#include "absl/status/status.h"
#include "benchmarks/harness/execution/program.h"

namespace assay::runner {

// Nothing for an empty one. InvalidArgument, naming those that there are, for one that the program
// does not know.
absl::Status MakeMistake(execution::Program& program, const std::string& mistake);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_MISTAKE_H_
