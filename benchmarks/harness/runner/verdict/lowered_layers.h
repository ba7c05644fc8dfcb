#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_LOWERED_LAYERS_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_LOWERED_LAYERS_H_

// ---------------------------------------------------------------------------------------------
// lowered_layers.h: the second judgement of a lowered model. The reference is of the model before its
// lowering, so its limits must leave room for the rounding of the weights. A kernel that is wrong by
// less, or that does not round at all, would pass. So a second copy of the model is lowered and called
// with the same inputs, and each call of a lowered layer is compared with its own product in float64,
// of the rounded weight and of the input that the layer got. Its errors must be explained by rounding
// (LayerError): on average by as much, in an element by 4 times as much. Where a layer's results are
// integers, neither they nor its weight's may be others than float64's, except at ties. The rows are those that have
// calibrated; others may lie beyond the range (static_int8.h). The outputs of the copy must
// be those that the reference has judged: to the bit if two calls by plain eager must be equal, else
// within the limits of the dtype.
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

#include <string>

#include "absl/status/status.h"
#include "benchmarks/harness/programs/program.h"
#include "defs/case/lowerings.h"
#include "defs/proto/record.pb.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

// Whether the case's lowering rounds weights.
bool RoundsWeights(const BenchmarkCase& c);

// Whether the errors of all calls are within their limits, and what to say of them. Without a call they
// are not.
struct JudgementOfLayers {
  bool right = false;
  std::string text;
};
JudgementOfLayers JudgementOf(const JudgedLayers& judged);

// Errors: those of SeededProgram(), Place() and of the call.
absl::Status CheckLoweredLayers(const ResolvedCase& c, at::Device device,
                                const execution::Tensors& inputs, const execution::Tensors& outputs,
                                Verdict& verdict);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_LOWERED_LAYERS_H_
