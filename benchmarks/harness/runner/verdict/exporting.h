#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_EXPORTING_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_EXPORTING_H_

// ---------------------------------------------------------------------------------------------
// exporting.h: writes what another implementation needs to compute a reference, this suite's own
// float64 reference for families without one, and the tensors that are compared layer by layer.
// //tools:generate_artifacts and //tools:locate use it.
//
// Not for: checkpoints of a user.
//
// Example:
//   absl::Status status = Export(resolved, {.state = "/tmp/state.safetensors"});
// ---------------------------------------------------------------------------------------------

#include <string>

#include "absl/status/status.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

// Paths; an empty one is not written.
struct ExportPaths {
  std::string state = {};  // every parameter and buffer, float32 and integers, before rounding
  std::string inputs =
      {};  // inputs of the verified workload, float32 and integers, before rounding
  std::string reference =
      {};  // outputs in float64 of weights and inputs rounded to the case's dtype
  // The traced forward pass on the verified inputs, in the case's dtype; TracedExecution()'s back end
  // must be linked.
  std::string module = {};
  // A folder for the case, its weights and inputs as above, and the outputs of each layer in
  // float64 for the rounded weights and inputs (layer_export.h), for the reference's rows.
  std::string layers = {};
  // The case itself, as a Registry in JSON, with the verified rows as those of its reference.
  std::string resolved = {};
  bool locate = false;  // makes such a folder and hands it to //tools:locate (locating.h)

  bool referenced_rows = false;  // inputs: with as many rows as the case's reference
  std::string mistake = {};      // for the layers, made once the weights are written; empty: none

  bool any() const {
    return !state.empty() || !inputs.empty() || !reference.empty() || !module.empty() ||
           !resolved.empty() || layered();
  }
  // Whether no program is made of the case.
  bool only_inputs() const {
    return state.empty() && reference.empty() && module.empty() && !layered();
  }
  bool layered() const { return !layers.empty() || locate; }
};

// By torchscript, whose back end traces what ExportPaths::module is to hold.
Execution TracedExecution();

// InvalidArgument for a mistake that the case's program does not know, and for the module of a case
// that is more than a forward pass.
absl::Status Export(const ResolvedCase& c, const ExportPaths& paths);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_EXPORTING_H_
