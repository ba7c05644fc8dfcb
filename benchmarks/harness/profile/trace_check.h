#ifndef ASSAY_BENCHMARKS_HARNESS_PROFILE_TRACE_CHECK_H_
#define ASSAY_BENCHMARKS_HARNESS_PROFILE_TRACE_CHECK_H_

// ---------------------------------------------------------------------------------------------
// trace_check.h: checks that a text is a Chrome trace that Perfetto opens, and that it holds what
// was profiled. Every trace is read back and checked before it gets its name.
//
// The format is Google's "Trace Event Format": an object with traceEvents, an array of events with
// ph (the kind), ts and dur in microseconds, pid and tid.
//
// Not for: traces larger than memory.
//
// Example:
//   absl::Status whole = CheckTrace(text, {"mlp_fp32_b8/forward"});
// ---------------------------------------------------------------------------------------------

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/types/span.h"

namespace assay::profile {

// DataLoss, naming the event, where the text is no JSON, an event lacks what its kind must have,
// host spans of one thread overlap without one containing the other, or a range of `ranges` is
// missing or contains nothing.
absl::Status CheckTrace(std::string_view text, absl::Span<const std::string> ranges);

}  // namespace assay::profile

#endif  // ASSAY_BENCHMARKS_HARNESS_PROFILE_TRACE_CHECK_H_
