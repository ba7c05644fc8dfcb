#ifndef ASSAY_DEFS_WRITTEN_INPUTS_H_
#define ASSAY_DEFS_WRITTEN_INPUTS_H_

// ---------------------------------------------------------------------------------------------
// written_inputs.h: the inputs that calls of a case write to, as a parameter of its workloads. Each
// call then begins with the given values again (SetSteps, execution/kept_inputs.h). Only a model that
// is a file may write to its inputs; tools/run_model calls it once and looks.
//
// Example:
//   SetWrittenInputs("state, x", workload);
//   if (!WrittenInputs(c.measured()).empty()) ...
// ---------------------------------------------------------------------------------------------

#include <string>

#include "defs/suite.pb.h"

namespace assay {

inline constexpr char kWrittenInputs[] = "written_inputs";

// Names, for a person; empty: calls write to none.
inline std::string WrittenInputs(const Workload& workload) {
  const auto found = workload.parameters().find(kWrittenInputs);
  return found == workload.parameters().end() ? "" : found->second.text();
}

inline void SetWrittenInputs(const std::string& names, Workload& workload) {
  (*workload.mutable_parameters())[kWrittenInputs].set_text(names);
}

}  // namespace assay

#endif  // ASSAY_DEFS_WRITTEN_INPUTS_H_
