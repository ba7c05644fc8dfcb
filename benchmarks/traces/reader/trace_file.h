#ifndef ASSAY_BENCHMARKS_TRACES_READER_TRACE_FILE_H_
#define ASSAY_BENCHMARKS_TRACES_READER_TRACE_FILE_H_

// ---------------------------------------------------------------------------------------------
// trace_file.h: reads a trace of any format, node by node: an execution trace, .json or .json.gz; what
// torch.profiler exports (kineto_file.h); Chakra's protocol buffers (chakra_file.h). The first bytes
// tell which it is. The path may be a folder or an archive of ranks (trace_source.h).
//
// Beside what the caller keeps, it needs the memory of one node, and 40 bytes an event of Kineto.
// LoadTrace() keeps all nodes in little memory (node_list.h).
//
// A file that a killed process left is torn: its whole nodes are given, and `torn` says where it ends.
//
// Example:
//   absl::StatusOr<TraceReading> read =
//       ReadTrace("et.json.gz", [&](TraceNode node) { ...; return absl::OkStatus(); });
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/traces/reader/node_list.h"
#include "benchmarks/traces/reader/trace_node.h"

namespace assay::traces {

// NotFound for no file; InvalidArgument, naming the file, for an unknown schema, a node that cannot be
// read, and a file that is no trace, with what it looks like; the errors of ChooseTrace(); the first
// error of `take`.
absl::StatusOr<TraceReading> ReadTrace(const std::string& path,
                                       const std::function<absl::Status(TraceNode node)>& take,
                                       int64_t rank = -1);

struct Trace {
  TraceReading about = {};
  NodeList nodes = {};  // in the file's order
};

// Below 2^32 - 1 nodes. Without `values` what a capture recorded of them is left out, but for numbers of the
// program that stand as tensors.
absl::StatusOr<Trace> LoadTrace(const std::string& path, int64_t rank = -1, bool values = true);

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_READER_TRACE_FILE_H_
