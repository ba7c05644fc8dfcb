#ifndef ASSAY_BENCHMARKS_OPERATORS_PARAM_MEASURE_H_
#define ASSAY_BENCHMARKS_OPERATORS_PARAM_MEASURE_H_

// ---------------------------------------------------------------------------------------------
// measure.h: measures one bound call by one of PARAM's execution modes (sampling/presets.h), or
// runs it under a profiler.
//
// Backward starts from ones, made outside of the timed calls, and gradients add up in the inputs
// from call to call, as in PARAM.
//
// As a CUDA graph, forward and backward are recorded once after a call of each, and every call
// afterwards is a replay.
//
// Example:
//   absl::StatusOr<MeasuredCall> measured =
//       MeasureCall(device, call, {.preset = Preset::kContinuous, .backward = true});
// ---------------------------------------------------------------------------------------------

#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/costs/call_cost.h"
#include "benchmarks/harness/profile/profiler.h"
#include "benchmarks/harness/sampling/device/device.h"
#include "benchmarks/harness/sampling/presets.h"
#include "benchmarks/operators/param/operators.h"
#include "defs/proto/record.pb.h"

namespace assay::param {

struct MeasureOptions {
  sampling::Preset preset = sampling::Preset::kDiscrete;
  sampling::PresetOptions counts = {};
  bool backward = false;  // for a call that has a backward pass
  bool graph = false;     // replays in place of calls; FailedPrecondition where that cannot be
  bool count_cost = false;
  bool verify = false;
  double memory_bytes = 0;  // that are free, for the verdict; 0: unknown
};

struct MeasuredCall {
  sampling::PresetResult times = {};
  // Costs of one more call, after the timed ones.
  costs::CallCost forward_cost = {}, backward_cost = {};
  // After them, so that PARAM's first call is the first.
  std::optional<Verdict> verdict = {};
};

// ResourceExhausted, or Internal for any other exception of the operator.
absl::StatusOr<MeasuredCall> MeasureCall(sampling::Device& device, const BoundCall& call,
                                         const MeasureOptions& options);

struct RangeOptions {
  std::string name = {};  // the ranges are name/forward, name/backward
  int warmup = 2;
  int calls = 3;
  bool backward = false;  // for a call that has a backward pass
  bool cuda = false;
};

// Makes the calls in named ranges, for a profiling tool. The same errors.
absl::Status CallInRanges(sampling::Device& device, const BoundCall& call,
                          const RangeOptions& options);

// Makes the calls under LibTorch's profiler. The same errors.
absl::StatusOr<std::unique_ptr<profile::Profiled>> ProfileCall(sampling::Device& device,
                                                               const BoundCall& call,
                                                               const RangeOptions& options);

}  // namespace assay::param

#endif  // ASSAY_BENCHMARKS_OPERATORS_PARAM_MEASURE_H_
