#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_SERIES_RELAUNCH_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_SERIES_RELAUNCH_H_

// ---------------------------------------------------------------------------------------------
// relaunch.h: builds this program again with the back end that it was asked for and lacks, and
// starts it in this one's place with the same flags.
//
// Most runs use neither the code of those back ends nor what they fetch, so runners are built
// without them.
//
// Not for: a process of a series, whose parent waits for this one.
//
// Example:
//   absl::Status lacking = RelaunchWithBackend(c.benchmark_case(), line.as_given);
// ---------------------------------------------------------------------------------------------

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

// The case's back end is not linked. Does not return where the tree has it and `bazel run` started
// this process; otherwise returns OK (whoever loads the back end says how to link it), or why
// Bazel does not start.
absl::Status RelaunchWithBackend(const BenchmarkCase& c, const std::vector<std::string>& words);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_SERIES_RELAUNCH_H_
