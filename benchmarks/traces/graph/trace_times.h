#ifndef ASSAY_BENCHMARKS_TRACES_GRAPH_TRACE_TIMES_H_
#define ASSAY_BENCHMARKS_TRACES_GRAPH_TRACE_TIMES_H_

// ---------------------------------------------------------------------------------------------
// trace_times.h: how long a recorded program took, how much of that was autograd's engine, and for how
// long something ran where much overlaps.
//
// Example:
//   if (const auto span = SpanNs(tree)) std::cout << *span << " ns, the engine " << EngineNs(tree);
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "benchmarks/traces/graph/trace_tree.h"

namespace assay::traces {

// A begin is {time, 1}, an end {time, -1}.
using TimeMarks = std::vector<std::pair<int64_t, int>>;

void Mark(TimeMarks& marks, int64_t start_ns, int64_t duration_ns);

// The time in which at least `least` have begun and not ended.
int64_t TimeOpen(TimeMarks marks, int least = 1);

// From the begin of the first node that has a time to the end of the last one; nothing where none has.
// `under`: only nodes that this one calls.
std::optional<int64_t> SpanNs(const TraceTree& tree, size_t under = kNoNode);

// The time of the node without the operators in it, and not negative.
int64_t OwnNs(const TraceTree& tree, size_t node);

// The time of autograd's engine and its nodes, without the operators that they call.
int64_t EngineNs(const TraceTree& tree, size_t under = kNoNode);

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_GRAPH_TRACE_TIMES_H_
