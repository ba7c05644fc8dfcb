#ifndef ASSAY_BENCHMARKS_OPERATORS_PARAM_MEASURE_H_
#define ASSAY_BENCHMARKS_OPERATORS_PARAM_MEASURE_H_

// ---------------------------------------------------------------------------------------------
// measure.h: one bound call by one of PARAM's execution modes (sampling/presets.h).
//
// Gradients begin with ones, made outside of the timed calls, and add up in the inputs from call to
// call, as in PARAM.
//
// Example:
//   absl::StatusOr<MeasuredCall> measured =
//       MeasureCall(device, call, {.preset = Preset::kContinuous, .backward = true});
// ---------------------------------------------------------------------------------------------

#include "absl/status/statusor.h"
#include "benchmarks/harness/execution/call_cost.h"
#include "benchmarks/harness/sampling/device/device.h"
#include "benchmarks/harness/sampling/presets.h"
#include "benchmarks/operators/param/operators.h"

namespace assay::param {

struct MeasureOptions {
  sampling::Preset preset = sampling::Preset::kDiscrete;
  sampling::PresetOptions counts = {};
  bool backward = false;  // of a call that has such a pass
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

}  // namespace assay::param

#endif  // ASSAY_BENCHMARKS_OPERATORS_PARAM_MEASURE_H_
