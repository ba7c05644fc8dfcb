#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_LOWERED_LAYERS_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_LOWERED_LAYERS_H_

// ---------------------------------------------------------------------------------------------
// lowered_layers.h: the second judgement of a lowered model. The reference is of the model before its
// lowering, so its limits must leave room for the rounding of the weights. A kernel that is wrong by
// less, or that does not round at all, would pass. So a second copy of the model is lowered and called
// with the same inputs, and each call of a lowered layer is compared with its own product in float64,
// of the rounded weight and of the input that the layer got. The outputs of the copy must be those
// that the reference has judged.
//
// The limit of a layer's rms error is u + sqrt(in) * 2^-24 of the standard deviation of its product: u
// is the unit roundoff of the dtype, to which the result is rounded; a sum of `in` terms is taken in
// float32. No element may be off by more than 4 times that, relative to its magnitude plus that
// deviation.
//
// Adds two checks to the verdict:
//   lowered_layers  OK or FLAGGED, which makes a verdict that was none worse FAIL_ACCURACY
//   quality         NOTED: what the rounding costs against the reference, as cosine and as SQNR,
//                   the variance of the reference over the mean square of the error, in decibels
//
// Not for: lowerings that round nothing (defs/case/lowerings.h), weights that a user gives.
//
// Example:
//   absl::Status judged = CheckLoweredLayers(c, device, call.inputs, call.outputs, verdict);
// ---------------------------------------------------------------------------------------------

#include "absl/status/status.h"
#include "benchmarks/harness/programs/program.h"
#include "defs/proto/record.pb.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

// Whether the case's lowering rounds weights.
bool RoundsWeights(const BenchmarkCase& c);

// Errors: those of SeededProgram(), Place() and of the call.
absl::Status CheckLoweredLayers(const ResolvedCase& c, at::Device device,
                                const execution::Tensors& inputs, const execution::Tensors& outputs,
                                Verdict& verdict);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_LOWERED_LAYERS_H_
