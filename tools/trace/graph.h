#ifndef ASSAY_TOOLS_TRACE_GRAPH_H_
#define ASSAY_TOOLS_TRACE_GRAPH_H_

// ---------------------------------------------------------------------------------------------
// graph.h: //tools/trace's action graph: the flow of tensors as .dot, .graphml or, drawn by Graphviz'
// dot, .svg.
// ---------------------------------------------------------------------------------------------

#include "absl/status/statusor.h"
#include "tools/trace/actions.h"

namespace assay::trace {

// FILE --out=X.svg|X.dot|X.graphml [--detail] [--subgraph=NAME] [--node=ID].
absl::StatusOr<int> Graph(GivenTraces& given);

}  // namespace assay::trace

#endif  // ASSAY_TOOLS_TRACE_GRAPH_H_
