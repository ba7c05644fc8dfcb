#ifndef ASSAY_TOOLS_TRACE_EXPLAIN_H_
#define ASSAY_TOOLS_TRACE_EXPLAIN_H_

// ---------------------------------------------------------------------------------------------
// explain.h: //tools/trace's action explain: where the time of a trace went, and how far its operators
// are from what the machine reaches.
// ---------------------------------------------------------------------------------------------

#include "absl/status/statusor.h"
#include "tools/trace/actions.h"

namespace assay::trace {

// FILE [RECORDS...] [--top=N] [--json]. Peaks of the machine come from records of --peaks.
absl::StatusOr<int> ExplainTrace(GivenTraces& given);

}  // namespace assay::trace

#endif  // ASSAY_TOOLS_TRACE_EXPLAIN_H_
