#ifndef ASSAY_BENCHMARKS_TRACES_READER_NODE_TEXT_H_
#define ASSAY_BENCHMARKS_TRACES_READER_NODE_TEXT_H_

// ---------------------------------------------------------------------------------------------
// node_text.h: a TraceNode into JSON of schema 1.1.1-chakra.0.0.4. node_json.h reads the same node
// from it, to the bit of its numbers.
//
// Example:
//   std::string text = JsonOfNode(node);   // {"id":2,"name":"aten::relu",...}
// ---------------------------------------------------------------------------------------------

#include <string>
#include <vector>

#include "benchmarks/traces/reader/trace_node.h"

namespace assay::traces {

// Four JSON lists with an element for each value.
struct ValuesText {
  std::string values, shapes, types, strides;
};

ValuesText TextOf(const std::vector<TraceValue>& values);

std::string JsonOfNode(const TraceNode& node);

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_READER_NODE_TEXT_H_
