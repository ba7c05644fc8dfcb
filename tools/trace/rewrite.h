#ifndef ASSAY_TOOLS_TRACE_REWRITE_H_
#define ASSAY_TOOLS_TRACE_REWRITE_H_

// ---------------------------------------------------------------------------------------------
// rewrite.h: //tools/trace's actions clean and anonymise: a trace as another, smaller or without
// secrets.
// ---------------------------------------------------------------------------------------------

#include "absl/status/statusor.h"
#include "tools/trace/actions.h"

namespace assay::trace {

// FILE --out=X.json.
absl::StatusOr<int> CleanTrace(GivenTraces& given);
absl::StatusOr<int> AnonymiseTrace(GivenTraces& given);

}  // namespace assay::trace

#endif  // ASSAY_TOOLS_TRACE_REWRITE_H_
