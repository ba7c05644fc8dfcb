#ifndef ASSAY_BENCHMARKS_BACKENDS_EXPORTED_GRAPH_H_
#define ASSAY_BENCHMARKS_BACKENDS_EXPORTED_GRAPH_H_

// ---------------------------------------------------------------------------------------------
// exported_graph.h: reads the archive that torch.export.save() writes (.pt2) as a graph of operators
// (benchmarks/harness/dispatcher/operator_graph.h).
//
// An archive is a zip with models/<name>.json, the graph in the schema of
// torch/_export/serde/schema.py (version 8), and data/weights/, one file for each storage. An
// operator's arguments are checked against its schema and converted once, when the file is read.
//
// Why not torch::nativert, which LibTorch 2.11 has for these files: there `mul` by a number of a
// tensor that is not contiguous gives garbage, without an error.
//
// Sizes may be open (dynamic_shapes): a call computes numbers from the sizes of its tensors, as Python does.
//
// Not for: graphs with other graphs inside (torch.cond), that write to their inputs or weights, or that were
// exported in training mode; they are refused by name.
//
// Example:
//   absl::StatusOr<execution::OperatorGraph> graph = ReadExportedGraph("module.pt2");
//   std::vector<at::Tensor> outputs = graph->Call({image});
// ---------------------------------------------------------------------------------------------

#include <string>

#include "absl/status/statusor.h"
#include "benchmarks/harness/dispatcher/operator_graph.h"

namespace assay::backends {

// InvalidArgument, naming the operator or the member, for a graph that it cannot call. What is cut
// off or malformed raises an exception of LibTorch's or of the JSON library's.
absl::StatusOr<execution::OperatorGraph> ReadExportedGraph(const std::string& path);

}  // namespace assay::backends

#endif  // ASSAY_BENCHMARKS_BACKENDS_EXPORTED_GRAPH_H_
