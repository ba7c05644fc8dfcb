#ifndef ASSAY_BENCHMARKS_TRACES_GRAPH_TEST_NODES_H_
#define ASSAY_BENCHMARKS_TRACES_GRAPH_TEST_NODES_H_

// ---------------------------------------------------------------------------------------------
// test_nodes.h: nodes of traces for tests.
//
// Example:
//   TraceNode relu = Operator(7, "aten::relu", 2, {Tensor(3, 4, {8})}, {Tensor(8, 9, {8})});
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmarks/traces/reader/trace_node.h"

namespace assay::traces {

// Contiguous, on the CPU.
inline TraceValue Tensor(int64_t id, int64_t storage, std::vector<int64_t> sizes,
                         const std::string& dtype = "float", int64_t size = 4) {
  TraceTensor tensor = {.id = id,
                        .storage = storage,
                        .elements = 1,
                        .element_size = size,
                        .device = "cpu",
                        .dtype = dtype,
                        .sizes = std::move(sizes),
                        .has_strides = true};
  tensor.strides.resize(tensor.sizes.size());
  for (size_t i = tensor.sizes.size(); i-- > 0;) {
    tensor.strides[i] = tensor.elements;
    tensor.elements *= tensor.sizes[i];
  }
  return {.kind = TraceValue::Kind::kTensor,
          .type = absl::StrCat("Tensor(", dtype, ")"),
          .tensor = std::move(tensor)};
}

inline TraceValue Int(int64_t value) {
  return {.kind = TraceValue::Kind::kInt, .type = "Int", .integer = value};
}

inline TraceValue List(std::vector<TraceValue> items) {
  return {.kind = TraceValue::Kind::kList, .type = "GenericList[]", .items = std::move(items)};
}

inline TraceNode Operator(int64_t id, const std::string& schema, int64_t parent,
                          std::vector<TraceValue> inputs = {},
                          std::vector<TraceValue> outputs = {}) {
  const std::string name = schema.substr(0, schema.find('('));
  return {.id = id,
          .ctrl_deps = parent,
          .name = name.substr(0, name.find('.')),
          .inputs = std::move(inputs),
          .outputs = std::move(outputs),
          .op_schema = schema.find('(') == std::string::npos ? schema + "()" : schema};
}

inline TraceNode Label(int64_t id, const std::string& name, int64_t parent) {
  return {.id = id, .ctrl_deps = parent, .name = name};
}

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_GRAPH_TEST_NODES_H_
