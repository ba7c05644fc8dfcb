#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_SERIES_RELAUNCH_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_SERIES_RELAUNCH_H_

// ---------------------------------------------------------------------------------------------
// relaunch.h: builds this program again with the back end or the load generator that it was asked for
// and lacks, and starts it in this one's place with the same flags.
//
// Most runs use neither that code nor what it fetches, so runners are built without it.
//
// Not for: a process of a series, whose parent waits for this one.
//
// Example:
//   absl::Status lacking = RelaunchWith(/*generator=*/false, c.benchmark_case(), line.as_given);
// ---------------------------------------------------------------------------------------------

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

// This program lacks the case's back end or, where `generator`, the load generator; it is built again
// with all that the case needs. Does not return where the tree has what is lacking and `bazel run`
// started this process; otherwise returns OK (whoever needs it says how to link it), or why Bazel
// does not start.
absl::Status RelaunchWith(bool generator, const BenchmarkCase& c,
                          const std::vector<std::string>& words);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_SERIES_RELAUNCH_H_
