#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_LAYER_EXPORT_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_LAYER_EXPORT_H_

// ---------------------------------------------------------------------------------------------
// layer_export.h: writes the tensors that //tools:locate compares, layer by layer, with another
// implementation:
//
//   calls/<n>.safetensors   the n-th call of a layer (costs/layer_trace.h): input.0, ..., output;
//                           its "layer" and "number" as metadata
//   results.safetensors     output.<name>, the model's; of a training case also loss and
//                           gradient.<parameter> of the first step, and buffer.<name> after it
//
// Not for: the case, its weights and its inputs, which stand beside these (exporting.h).
//
// Example:
//   absl::Status written = ExportLayers(c, *program, inputs, folder);
// ---------------------------------------------------------------------------------------------

#include <string>

#include "absl/status/status.h"
#include "benchmarks/harness/programs/program.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

// `program` and `inputs` are in the dtype that is compared, float64. Dropout is off. `folder`
// exists. Unavailable or ResourceExhausted where it cannot be written.
absl::Status ExportLayers(const ResolvedCase& c, execution::Program& program,
                          execution::Tensors inputs, const std::string& folder);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_LAYER_EXPORT_H_
