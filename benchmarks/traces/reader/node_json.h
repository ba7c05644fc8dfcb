#ifndef ASSAY_BENCHMARKS_TRACES_READER_NODE_JSON_H_
#define ASSAY_BENCHMARKS_TRACES_READER_NODE_JSON_H_

// ---------------------------------------------------------------------------------------------
// node_json.h: the JSON text of one node into a TraceNode.
//
// Schema 1.0.1 has values, shapes and types in the node itself; later ones have them under "inputs"
// and "outputs", and the rest under "attrs". The node's members tell which it is.
//
// RapidJSON parses a node into memory that the next node uses again: 174 to 208 MB/s with all the
// rest of reading, on one busy core, for a trace of resnet18; 63 to 70 MB/s with nlohmann/json's DOM.
//
// Example:
//   absl::StatusOr<TraceNode> node = ParseNode(R"({"id": 2, "name": "aten::relu", ...})");
// ---------------------------------------------------------------------------------------------

#include <string_view>

#include "absl/status/statusor.h"
#include "benchmarks/traces/reader/trace_node.h"

namespace assay::traces {

// InvalidArgument, naming the node and the value, for text that is no JSON, lacks a member, or has
// values that do not fit their types.
absl::StatusOr<TraceNode> ParseNode(std::string_view text);

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_READER_NODE_JSON_H_
