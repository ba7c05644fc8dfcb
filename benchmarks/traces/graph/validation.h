#ifndef ASSAY_BENCHMARKS_TRACES_GRAPH_VALIDATION_H_
#define ASSAY_BENCHMARKS_TRACES_GRAPH_VALIDATION_H_

// ---------------------------------------------------------------------------------------------
// validation.h: what is wrong with a trace (an error), and what it has lost (a note).
//
//   error  an id twice; a node that begins before the one that calls it; a cycle; negative sizes,
//          strides or offsets, too large ones, or another number of elements than the sizes make;
//          a tensor that has its id from later than its use; an operator without a name
//   note   a torn file; a missing parent; a list that was cut; a number that six decimals may have
//          cut; a value that the observer does not write
//
// Example:
//   for (const Finding& finding : Validate(trace, TraceTree(trace.nodes))) ...
// ---------------------------------------------------------------------------------------------

#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/traces/graph/trace_tree.h"
#include "benchmarks/traces/reader/trace_file.h"

namespace assay::traces {

struct Finding {
  bool error = false;
  std::string_view kind = {};      // "id twice"
  std::vector<size_t> nodes = {};  // all that have it
  std::string text = {};           // of the first one
};

// One finding for each kind that occurs.
std::vector<Finding> Validate(const Trace& trace, const TraceTree& tree);

// "aten::add (node 17)".
std::string NodeText(const TraceNode& node);

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_GRAPH_VALIDATION_H_
