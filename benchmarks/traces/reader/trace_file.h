#ifndef ASSAY_BENCHMARKS_TRACES_READER_TRACE_FILE_H_
#define ASSAY_BENCHMARKS_TRACES_READER_TRACE_FILE_H_

// ---------------------------------------------------------------------------------------------
// trace_file.h: reads a trace of any format, node by node: an execution trace, .json or .json.gz; what
// torch.profiler exports (kineto_file.h); Chakra's protocol buffers (chakra_file.h). The first bytes
// tell which it is. The path may be a folder or an archive of ranks (trace_source.h).
//
// Beside the nodes (node_list.h) it needs the memory of one node's text, and of Kineto's trace 56 bytes
// an event until all are read once.
//
// A file that a killed process left is torn: its whole nodes are given, and `torn` says where it ends.
//
// Example:
//   absl::StatusOr<Trace> trace = LoadTrace("et.json.gz");
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "benchmarks/traces/reader/node_list.h"
#include "benchmarks/traces/reader/trace_node.h"

namespace assay::traces {

struct Trace {
  TraceReading about = {};
  NodeList nodes = {};  // in the file's order
};

// NotFound for no file; InvalidArgument, naming the file, for an unknown schema, a node that cannot be
// read, and a file that is no trace, with what it looks like, and for 2^32 - 1 nodes and more; the
// errors of ChooseTrace(). Without `values` recorded values are left out, but for numbers of the program
// that stand as tensors.
absl::StatusOr<Trace> LoadTrace(const std::string& path, int64_t rank = -1, bool values = true);

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_READER_TRACE_FILE_H_
