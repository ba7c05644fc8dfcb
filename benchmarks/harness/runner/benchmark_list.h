#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_BENCHMARK_LIST_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_BENCHMARK_LIST_H_

// ---------------------------------------------------------------------------------------------
// benchmark_list.h: lists the benchmarks that a case has under the given settings. It does not
// build the program, so that listing stays fast.
//
// Example:
//   for (const BenchmarkSpec& spec : BenchmarksOf(settings, c, device)) ...
// ---------------------------------------------------------------------------------------------

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "benchmarks/harness/runner/measuring.h"
#include "benchmarks/harness/runner/settings.h"
#include "benchmarks/harness/sampling/device/device.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

// Combines steps and methods. Without --steps: the case's default steps; without --modes: the
// device's default modes. Left out is a default mode that calls many times in a row where a step is
// prepared before each call (backward); one that was asked for by name is kept, and the engine
// refuses it with the reason. A step that the case does not have is left out: FindStep() says why.
std::vector<BenchmarkSpec> BenchmarksOf(const Settings& settings, const ResolvedCase& c,
                                        const sampling::Device& device);

// InvalidArgument, with the list of names, where the filter matches none of them.
absl::Status CheckFilter(const std::string& filter, const std::vector<BenchmarkSpec>& benchmarks,
                         const std::string& case_name);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_BENCHMARK_LIST_H_
