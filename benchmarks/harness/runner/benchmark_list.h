#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_BENCHMARK_LIST_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_BENCHMARK_LIST_H_

// ---------------------------------------------------------------------------------------------
// benchmark_list.h: which benchmarks a case has under some settings, without building its program,
// so that listing stays fast.
//
// Example:
//   for (const BenchmarkSpec& spec : BenchmarksOf(settings, EVAL, device)) ...
// ---------------------------------------------------------------------------------------------

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "benchmarks/harness/runner/measuring.h"
#include "benchmarks/harness/runner/settings.h"
#include "benchmarks/harness/sampling/device/device.h"
#include "defs/suite.pb.h"

namespace assay::runner {

// The steps asked for, or all of the mode's programs, by the methods asked for, or the device's
// default modes. A default mode that calls many times in a row is left out where a step needs
// preparation before each call (backward); one that is asked for by name is kept, and says so.
std::vector<BenchmarkSpec> BenchmarksOf(const Settings& settings, CaseMode mode,
                                        const sampling::Device& device);

// InvalidArgument, with the names there are, where the filter matches none of them.
absl::Status CheckFilter(const std::string& filter, const std::vector<BenchmarkSpec>& benchmarks,
                         const std::string& case_name);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_BENCHMARK_LIST_H_
