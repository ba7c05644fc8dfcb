#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_MISTAKE_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_MISTAKE_H_

// ---------------------------------------------------------------------------------------------
// mistake.h: makes the program compute one thing wrong, as --mistake asks.
//
// Not for: the list of mistakes (execution::Program::Mistakes()).
//
// Example:
//   absl::Status made = MakeMistake(*program, "scaled_layer1.0");
// ---------------------------------------------------------------------------------------------

#include <string>

#include "absl/status/status.h"
#include "benchmarks/harness/programs/program.h"

namespace assay::runner {

// Does nothing for an empty name. InvalidArgument, with the program's list, for an unknown one.
absl::Status MakeMistake(execution::Program& program, const std::string& mistake);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_MISTAKE_H_
