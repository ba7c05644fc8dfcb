#ifndef ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_PROCESS_AGE_H_
#define ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_PROCESS_AGE_H_

// ---------------------------------------------------------------------------------------------
// process_age.h: how long ago this process was started: before main(), and before its libraries
// were loaded, which a clock of its own cannot see.
//
// The kernel notes the start in ticks of 10 ms, so that is how exact this is. A program that another
// one became (exec) has the age of that one: the script of a case is in it.
//
// Example:
//   if (const std::optional<absl::Duration> age = ProcessAge()) ...
// ---------------------------------------------------------------------------------------------

#include <optional>
#include <string>

#include "absl/time/time.h"

namespace assay::environment {

// Absent where the kernel does not tell, and under `bazel run`, whose client this process was before.
std::optional<absl::Duration> ProcessAge();

// `stat` as in /proc/PID/stat; `uptime` of the machine, suspended time included.
std::optional<absl::Duration> AgeFrom(const std::string& stat, absl::Duration uptime,
                                      int64_t ticks_per_second);

}  // namespace assay::environment

#endif  // ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_PROCESS_AGE_H_
