#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_MEASURING_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_MEASURING_H_

// ---------------------------------------------------------------------------------------------
// measuring.h: one Google Benchmark for each mode of a case, with the sampling engine inside.
//
// Each runs as Iterations(1)->UseManualTime(): one call of the library is one block of samples, so
// its calibration does not call the model again, and the engine's stop rule decides.
//
// Not for: statistics (harness/statistics), the loop that takes samples (harness/sampling).
//
// Example:
//   Measured measured = MeasureCase(c, *executable, device, options, line);
// ---------------------------------------------------------------------------------------------

#include <atomic>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/runner/command_line.h"
#include "benchmarks/harness/sampling/device.h"
#include "benchmarks/harness/sampling/modes.h"
#include "defs/record.pb.h"

namespace assay::runner {

// Names of the benchmarks that a case registers, and that --benchmark_filter matches:
// "resnet18_fp32_b1/wall".
std::vector<std::string> BenchmarkNames(const std::string& case_name,
                                        const std::vector<sampling::Mode>& modes);

// Google Benchmark's filter rule: a regular expression that must match somewhere; a leading '-'
// turns it round. Applied here because the library would match names with its own suffixes.
// InvalidArgument for a malformed expression.
absl::StatusOr<bool> MatchesFilter(const std::string& name, const std::string& filter);

struct Measured {
  std::vector<Measurement> measurements;  // one for each mode and repetition, in the order taken
  absl::Status status;                    // of the first that failed; the others are kept
};

// What is timed.
struct Subject {
  execution::Executable* executable = nullptr;
  double flops_per_call = 0;  // 0: not known
};

// Makes the subject when the first benchmark runs: listing and filtering must not build a model.
using SubjectSource = absl::FunctionRef<absl::StatusOr<Subject>()>;

// Runs the benchmarks and prints Google Benchmark's table. `filter` as for MatchesFilter.
Measured MeasureCase(const std::string& case_name, const std::vector<sampling::Mode>& modes,
                     const std::string& filter, const sampling::SamplingOptions& options,
                     const CommandLine& line, sampling::Device& device, SubjectSource subject);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_MEASURING_H_
