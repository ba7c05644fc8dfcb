#ifndef ASSAY_BENCHMARKS_TRACES_READER_KINETO_SCHEMA_H_
#define ASSAY_BENCHMARKS_TRACES_READER_KINETO_SCHEMA_H_

// ---------------------------------------------------------------------------------------------
// kineto_schema.h: finds which overload an operator of torch.profiler's trace is, from this LibTorch's
// schemas, by count and types of its arguments, and gives the arguments their types.
//
// The profiler prints nothing for None, a string, a device, and a list of more than 30 elements. Such
// an argument becomes None where the schema allows it, or else the schema's default. Both are guesses, and
// counted. Without a default it stays kLost.
//
// Example:
//   Trace trace = *LoadTrace("trace.json.gz");
//   SchemaReport report = FindSchemas(trace.nodes);   // node.IsOperator() holds from now on
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "benchmarks/traces/reader/node_list.h"

namespace assay::traces {

struct SchemaReport {
  int64_t found = 0;
  // By the operator's name: how many nodes.
  std::map<std::string, int64_t> ambiguous =
      {};                                     // several overloads fit; the first of them was taken
  std::map<std::string, int64_t> unfit = {};  // no overload takes such arguments
  std::map<std::string, int64_t> unknown = {};            // this LibTorch has no such operator
  std::map<std::string, int64_t> without_arguments = {};  // recorded without record_shapes=True
  std::map<std::string, int64_t> guessed = {};  // "aten::gelu approximate": the default was taken
};

// Whether a node of torch.profiler's trace is called as an operator: "aten::mm", "fbgemm::new", and neither
// a range nor a label of autograd.
bool IsOperatorName(std::string_view name);

// Changes nodes that have a namespace ("aten::") and no schema yet.
SchemaReport FindSchemas(NodeList& nodes);

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_READER_KINETO_SCHEMA_H_
