#ifndef ASSAY_TOOLS_TRACE_COMPARE_H_
#define ASSAY_TOOLS_TRACE_COMPARE_H_

// ---------------------------------------------------------------------------------------------
// compare.h: //tools/trace's action compare: what differs between two traces of one program.
// ---------------------------------------------------------------------------------------------

#include "absl/status/statusor.h"
#include "tools/trace/actions.h"

namespace assay::trace {

// BEFORE AFTER [--json] [--top=N] [--gate]. With --gate kProductWrong where an operator differs;
// times alone are no difference.
absl::StatusOr<int> CompareTraces(GivenTraces& given);

}  // namespace assay::trace

#endif  // ASSAY_TOOLS_TRACE_COMPARE_H_
