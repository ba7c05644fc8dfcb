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
//   absl::Status measured = MeasureCase(options, line, device, {.step = ..., .done = ...});
// ---------------------------------------------------------------------------------------------

#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/costs/call_cost.h"
#include "benchmarks/harness/runner/command_line.h"
#include "benchmarks/harness/sampling/device/device.h"
#include "benchmarks/harness/sampling/measure.h"
#include "benchmarks/harness/sampling/modes.h"
#include "benchmarks/harness/sampling/presets.h"
#include "benchmarks/harness/sampling/timed_work.h"
#include "defs/proto/record.pb.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

// One of our modes, or another suite's way to measure.
using Method = std::variant<sampling::Mode, sampling::Preset>;

// "wall", "continuous_events".
std::string MethodName(const Method& method);

// One benchmark: a step measured by one method.
struct BenchmarkSpec {
  Method method;
  std::string step = "forward";
  // "resnet18_fp32_b1/wall", "resnet18_fp32_b1/wall/backward": what --benchmark_filter matches.
  std::string Name(const std::string& case_name) const;
};

// Google Benchmark's filter rule: a regular expression that must match somewhere; a leading '-'
// turns it round. Applied here because the library would match names with its own suffixes.
// InvalidArgument for a malformed expression.
absl::StatusOr<bool> MatchesFilter(const std::string& name, const std::string& filter);

// The timed work, the limits of the hardware for it, and what one call is.
struct MeasuredStep {
  sampling::TimedWork* workload = nullptr;
  StepSpec spec = {};
  sampling::HardwareLimits hardware_limits = {};
  costs::CallCost cost = {};
};

struct MeasuringOptions {
  std::string case_name;
  std::vector<BenchmarkSpec> benchmarks;
  std::string filter;  // as for MatchesFilter
  sampling::SamplingOptions sampling;
  sampling::PresetOptions preset;
  // Whether a row shows GB/s beside GFLOP/s. Only for operators, and decode always: the intermediate
  // results of a model's layers pass through memory, too, so the least that a call must move is not
  // what it moves; those of one token are small.
  bool show_bandwidth = false;
  // What Google Benchmark's JSON says of a GPU in its context, where it describes the CPU by itself.
  std::vector<std::pair<std::string, std::string>> context;
};

// Connects the benchmarks with what they time and with the record. A step is made when its first
// benchmark runs: listing and filtering must not build a model.
struct MeasuringHooks {
  std::function<absl::StatusOr<MeasuredStep>(const std::string& name)> step;
  std::function<void(const std::string& name)> begun;
  std::function<void(const Measurement&)> done;
};

// Runs the benchmarks and prints Google Benchmark's table. Returns the first failure; later
// benchmarks still run.
absl::Status MeasureCase(const MeasuringOptions& options, const CommandLine& line,
                         sampling::Device& device, const MeasuringHooks& hooks);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_MEASURING_H_
