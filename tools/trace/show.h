#ifndef ASSAY_TOOLS_TRACE_SHOW_H_
#define ASSAY_TOOLS_TRACE_SHOW_H_

// ---------------------------------------------------------------------------------------------
// show.h: what //tools/trace prints of a trace without replaying it.
//
// Example:
//   std::cout << StatsText(trace, TraceTree(trace.nodes));
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "benchmarks/traces/graph/trace_tree.h"
#include "benchmarks/traces/reader/trace_file.h"
#include "tools/trace/actions.h"

namespace assay::trace {

// Operators by name, with their counts and their different arguments.
std::string ListText(const traces::TraceTree& tree, const TraceFlags& flags);
std::string StatsText(const traces::Trace& trace, const traces::TraceTree& tree);
std::string TreeText(const traces::TraceTree& tree, const TraceFlags& flags);
// One node with the operators that made its arguments and that read its results. NotFound where
// there is none with that id.
absl::StatusOr<std::string> NodeDetails(const traces::TraceTree& tree, int64_t id);
// Each tensor with who made and used it; with --top the N largest.
std::string TensorsText(const traces::TraceTree& tree, const TraceFlags& flags);
// PARAM's counts, and the findings; `errors` says whether one of them is an error.
std::string ValidationText(const traces::Trace& trace, const traces::TraceTree& tree, bool& errors);

}  // namespace assay::trace

#endif  // ASSAY_TOOLS_TRACE_SHOW_H_
