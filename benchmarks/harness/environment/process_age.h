#ifndef ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_PROCESS_AGE_H_
#define ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_PROCESS_AGE_H_

// ---------------------------------------------------------------------------------------------
// process_age.h: how long ago this process was started: before main(), and before its libraries
// were loaded, which a clock of its own cannot see.
//
// The kernel records the start in ticks of 10 ms, so the age is exact to 10 ms. exec keeps the age:
// that of a case includes its script.
//
// Example:
//   if (const std::optional<absl::Duration> age = ProcessAge()) ...
// ---------------------------------------------------------------------------------------------

#include <optional>
#include <string>

#include "absl/time/time.h"

namespace assay::environment {

// Absent if the kernel does not tell, and under `bazel run`, because the process was its client
// before.
std::optional<absl::Duration> ProcessAge();

// `stat` as in /proc/PID/stat; `uptime` of the machine, suspended time included.
std::optional<absl::Duration> AgeFrom(const std::string& stat, absl::Duration uptime,
                                      int64_t ticks_per_second);

}  // namespace assay::environment

#endif  // ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_PROCESS_AGE_H_
