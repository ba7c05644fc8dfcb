#ifndef ASSAY_TOOLS_TRACE_EXPLAIN_H_
#define ASSAY_TOOLS_TRACE_EXPLAIN_H_

// ---------------------------------------------------------------------------------------------
// explain.h: //tools/trace's action explain: where the time of a trace went, and how far its operators
// are from what the machine reaches.
//
// Example:
//   const WorkRate rate = RateOf(tree, Explain(tree, {}).work[0]);   // rate.flops / work[0].ns GFLOP/s
// ---------------------------------------------------------------------------------------------

#include "absl/status/statusor.h"
#include "benchmarks/traces/analysis/explanation.h"
#include "benchmarks/traces/graph/trace_tree.h"
#include "tools/trace/actions.h"

namespace assay::trace {

// FILE [RECORDS...] [--top=N] [--json]. Peaks of the machine come from records of --peaks.
absl::StatusOr<int> ExplainTrace(GivenTraces& given);

// Operations and bytes of all calls; 0: not known.
struct WorkRate {
  double flops = 0, bytes = 0;
};
WorkRate RateOf(const traces::TraceTree& tree, const traces::WorkTime& total);

}  // namespace assay::trace

#endif  // ASSAY_TOOLS_TRACE_EXPLAIN_H_
