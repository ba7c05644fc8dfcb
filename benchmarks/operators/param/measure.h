#ifndef ASSAY_BENCHMARKS_OPERATORS_PARAM_MEASURE_H_
#define ASSAY_BENCHMARKS_OPERATORS_PARAM_MEASURE_H_

// ---------------------------------------------------------------------------------------------
// measure.h: one bound call by one of PARAM's execution modes (sampling/presets.h), or under a
// profiler.
//
// Gradients begin with ones, made outside of the timed calls, and add up in the inputs from call to
// call, as in PARAM.
//
// As a CUDA graph, forward and backward are recorded once after a call of each, and every call
// afterwards is a replay.
//
// Example:
//   absl::StatusOr<MeasuredCall> measured =
//       MeasureCall(device, call, {.preset = Preset::kContinuous, .backward = true});
// ---------------------------------------------------------------------------------------------

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/execution/call_cost.h"
#include "benchmarks/harness/profile/profiler.h"
#include "benchmarks/harness/sampling/device/device.h"
#include "benchmarks/harness/sampling/presets.h"
#include "benchmarks/operators/param/operators.h"

namespace assay::param {

struct MeasureOptions {
  sampling::Preset preset = sampling::Preset::kDiscrete;
  sampling::PresetOptions counts = {};
  bool backward = false;  // of a call that has such a pass
  bool graph = false;     // replays in place of calls; FailedPrecondition where that cannot be
  bool count_cost = false;
};

struct MeasuredCall {
  sampling::PresetResult times = {};
  // Of one call more, after those that were timed.
  execution::CallCost forward_cost = {}, backward_cost = {};
};

// ResourceExhausted, or Internal for what else the operator threw.
absl::StatusOr<MeasuredCall> MeasureCall(sampling::Device& device, const BoundCall& call,
                                         const MeasureOptions& options);

struct RangeOptions {
  std::string name = {};  // the ranges are name/forward, name/backward
  int warmup = 2;
  int calls = 3;
  bool backward = false;  // of a call that has such a pass
  bool cuda = false;
};

// Calls in named ranges, and nothing else: for a tool that looks on. The same errors.
absl::Status CallInRanges(sampling::Device& device, const BoundCall& call,
                          const RangeOptions& options);

// The same under LibTorch's profiler.
absl::StatusOr<std::unique_ptr<profile::Profiled>> ProfileCall(sampling::Device& device,
                                                               const BoundCall& call,
                                                               const RangeOptions& options);

}  // namespace assay::param

#endif  // ASSAY_BENCHMARKS_OPERATORS_PARAM_MEASURE_H_
