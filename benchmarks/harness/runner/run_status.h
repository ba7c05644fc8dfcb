#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_RUN_STATUS_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_RUN_STATUS_H_

// ---------------------------------------------------------------------------------------------
// run_status.h: how a step of a run ended, as one absl::Status: OK, or what ends the run with the
// outcome and the exit code that it means.
//
// Not for: verdicts. A wrong output is a finding of a run that works.
//
// Example:
//   if (missing) return Ended(NO_DEVICE, "no CUDA device");
//   ...
//   if (IsUsageError(status)) return 3;
//   return record::ExitCode(OutcomeOf(status));
// ---------------------------------------------------------------------------------------------

#include <string_view>

#include "absl/status/status.h"
#include "defs/record.pb.h"

namespace assay::runner {

// Ends a run with `outcome`, which is not PASS. The message is for a person; empty where all has
// been said.
absl::Status Ended(Outcome outcome, std::string_view message);

// Ends a run that the command line cannot mean: exit code 3, and no record.
absl::Status UsageError(std::string_view message);
bool IsUsageError(const absl::Status& status);

// PASS for OK; that of Ended(); for any other status what its code says: OUT_OF_MEMORY,
// DEVICE_LOST, INTERRUPTED or CRASH.
Outcome OutcomeOf(const absl::Status& status);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_RUN_STATUS_H_
