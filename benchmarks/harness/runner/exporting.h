#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_EXPORTING_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_EXPORTING_H_

// ---------------------------------------------------------------------------------------------
// exporting.h: writes what another implementation needs to compute a reference, and this suite's
// own float64 reference for families without one. Used by //tools:generate_artifacts.
//
// Not for: people's checkpoints.
//
// Example:
//   absl::Status status = Export(resolved, {.state = "/tmp/state.safetensors"});
// ---------------------------------------------------------------------------------------------

#include <string>

#include "absl/status/status.h"
#include "defs/suite.pb.h"

namespace assay::runner {

// Paths; an empty one is not written.
struct ExportPaths {
  std::string state = {};  // every parameter and buffer, float32 and integers, before rounding
  std::string inputs =
      {};  // inputs of the verified workload, float32 and integers, before rounding
  std::string reference =
      {};  // outputs in float64 of weights and inputs rounded to the case's dtype

  bool referenced_rows = false;  // inputs: as many rows as the case's reference holds

  bool any() const { return !state.empty() || !inputs.empty() || !reference.empty(); }
  bool only_inputs() const { return !inputs.empty() && state.empty() && reference.empty(); }
};

absl::Status Export(const ResolvedCase& c, const ExportPaths& paths);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_EXPORTING_H_
