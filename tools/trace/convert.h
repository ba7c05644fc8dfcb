#ifndef ASSAY_TOOLS_TRACE_CONVERT_H_
#define ASSAY_TOOLS_TRACE_CONVERT_H_

// ---------------------------------------------------------------------------------------------
// convert.h: //tools/trace's actions convert, from a trace to micro-benchmarks of its operators, and
// predict, from their times back to the time of the whole.
//
// The operators are those that a replay calls (replay_plan.h), so that each value that one of them
// reads is another one's result.
// ---------------------------------------------------------------------------------------------

#include "absl/status/statusor.h"
#include "tools/trace/actions.h"

namespace assay::trace {

// --to=param|cases --out=... [--detail] [--top=N] [--subgraph=NAME].
absl::StatusOr<int> Convert(GivenTraces& given);

// The trace, then files of results: what param wrote, or records of cases.
absl::StatusOr<int> PredictTime(GivenTraces& given);

}  // namespace assay::trace

#endif  // ASSAY_TOOLS_TRACE_CONVERT_H_
