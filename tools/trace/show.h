#ifndef ASSAY_TOOLS_TRACE_SHOW_H_
#define ASSAY_TOOLS_TRACE_SHOW_H_

// ---------------------------------------------------------------------------------------------
// show.h: //tools/trace's actions that print a trace without replaying it.
// ---------------------------------------------------------------------------------------------

#include "absl/status/statusor.h"
#include "tools/trace/actions.h"

namespace assay::trace {

// Operators by name, with their counts and their different arguments.
absl::StatusOr<int> List(GivenTraces& given);
absl::StatusOr<int> Stats(GivenTraces& given);
absl::StatusOr<int> Tree(GivenTraces& given);
// One node with the operators that made its arguments and that read its results.
absl::StatusOr<int> Node(GivenTraces& given);
// Each tensor with who made and used it; with --top the N largest.
absl::StatusOr<int> Tensors(GivenTraces& given);
// PARAM's counts, and the findings. kProductWrong where one of them is an error.
absl::StatusOr<int> Validate(GivenTraces& given);

}  // namespace assay::trace

#endif  // ASSAY_TOOLS_TRACE_SHOW_H_
