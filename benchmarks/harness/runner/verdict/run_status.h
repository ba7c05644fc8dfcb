#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_RUN_STATUS_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_RUN_STATUS_H_

// ---------------------------------------------------------------------------------------------
// run_status.h: how a step of a run ended, as one absl::Status: OK, or a status that ends the run
// with an outcome and its exit code.
//
// Not for: verdicts. A run that finds a wrong output has itself succeeded.
//
// Example:
//   if (missing) return Ended(NO_DEVICE, "no CUDA device");
//   ...
//   if (IsUsageError(status)) return 3;
//   return record::ExitCode(OutcomeOf(status));
// ---------------------------------------------------------------------------------------------

#include <string_view>

#include "absl/status/status.h"
#include "defs/proto/record.pb.h"

namespace assay::runner {

// Ends a run with `outcome`, which is not PASS. The message is for a person; empty where it has
// been printed.
absl::Status Ended(Outcome outcome, std::string_view message);

// Ends a run whose command line makes no sense: exit code 3, and no record.
absl::Status UsageError(std::string_view message);
bool IsUsageError(const absl::Status& status);

// PASS for OK; the outcome of a status from Ended(); for any other status OUT_OF_MEMORY,
// DEVICE_LOST, INTERRUPTED or CRASH by its code.
Outcome OutcomeOf(const absl::Status& status);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_RUN_STATUS_H_
