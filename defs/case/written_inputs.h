#ifndef ASSAY_DEFS_CASE_WRITTEN_INPUTS_H_
#define ASSAY_DEFS_CASE_WRITTEN_INPUTS_H_

// ---------------------------------------------------------------------------------------------
// written_inputs.h: what calls of a model that is a file do with their inputs, as parameters of a
// case's workloads. tools/run_model calls the file and looks.
//
//   written inputs   a call writes to them. Each call then begins with the given values again
//                    (SetSteps, execution/kept_inputs.h).
//   written state    attributes of a TorchScript module that a call changes. Each call then begins
//                    with what the file holds.
//   training mode    parts of a TorchScript module that were saved in training mode, and run in evaluation.
//   fixed inputs     only the given values are known to work: a call of drawn ones fails, or gives
//                    outputs of other shapes. Timed calls then get the given ones.
//
// Example:
//   SetWrittenInputs("state, x", workload);
//   if (!WrittenInputs(c.measured()).empty()) ...
// ---------------------------------------------------------------------------------------------

#include <string>

#include "defs/proto/suite.pb.h"

namespace assay {

inline constexpr char kWrittenInputs[] = "written_inputs", kFixedInputs[] = "fixed_inputs",
                      kWrittenState[] = "written_state", kTrainingMode[] = "training_mode";

// "" where the workload does not have it.
inline std::string TextParameter(const Workload& workload, const char* name) {
  const auto found = workload.parameters().find(name);
  return found == workload.parameters().end() ? "" : found->second.text();
}

// Names, for a person; empty: calls write to none.
inline std::string WrittenInputs(const Workload& workload) {
  return TextParameter(workload, kWrittenInputs);
}

inline void SetWrittenInputs(const std::string& names, Workload& workload) {
  (*workload.mutable_parameters())[kWrittenInputs].set_text(names);
}

// Likewise, of the attributes: names with ", " between them.
inline std::string WrittenState(const Workload& workload) {
  return TextParameter(workload, kWrittenState);
}

inline void SetWrittenState(const std::string& names, Workload& workload) {
  (*workload.mutable_parameters())[kWrittenState].set_text(names);
}

// Names of dropouts and batch norms.
inline std::string TrainingMode(const Workload& workload) {
  return TextParameter(workload, kTrainingMode);
}

inline void SetTrainingMode(const std::string& names, Workload& workload) {
  (*workload.mutable_parameters())[kTrainingMode].set_text(names);
}

// A sentence about a call of drawn inputs, for a person; empty: it is like one of the given ones.
inline std::string FixedInputs(const Workload& workload) {
  return TextParameter(workload, kFixedInputs);
}

inline void SetFixedInputs(const std::string& reason, Workload& workload) {
  (*workload.mutable_parameters())[kFixedInputs].set_text(reason);
}

}  // namespace assay

#endif  // ASSAY_DEFS_CASE_WRITTEN_INPUTS_H_
