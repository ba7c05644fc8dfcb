#ifndef ASSAY_BENCHMARKS_TRACES_READER_TRACE_FILE_H_
#define ASSAY_BENCHMARKS_TRACES_READER_TRACE_FILE_H_

// ---------------------------------------------------------------------------------------------
// trace_file.h: reads an execution trace, .json or .json.gz, node by node. Beside what the caller
// keeps, it needs the memory of one node.
//
// A file that a killed process left is torn: its whole nodes are given, and `torn` says where it ends.
//
// Not for: archives of several ranks, Chakra's protocol buffers, Kineto's files.
//
// Example:
//   absl::StatusOr<TraceReading> read =
//       ReadTrace("et.json.gz", [&](TraceNode node) { ...; return absl::OkStatus(); });
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/traces/reader/trace_node.h"

namespace assay::traces {

struct TraceReading {
  std::string schema = {};
  int64_t pid = 0;
  std::string time = {};                // of the machine's clock and zone: "2026-11-27 23:57:54"
  int64_t start_ms = 0, finish_ms = 0;  // of a steady clock
  bool exact = false;  // the recorder of this suite wrote it: numbers and lists are whole
  std::map<std::string, std::string> generators = {};  // by device: the state's bytes at the start
  int64_t nodes = 0;
  std::string torn = {};  // why the file is not whole; empty: it is
};

// NotFound for no file; InvalidArgument, naming the file, for an unknown schema, a node that cannot be
// read, and a file that is no execution trace; the first error of `take`.
absl::StatusOr<TraceReading> ReadTrace(const std::string& path,
                                       const std::function<absl::Status(TraceNode node)>& take);

struct Trace {
  TraceReading about = {};
  std::vector<TraceNode> nodes = {};  // in the file's order
};

absl::StatusOr<Trace> LoadTrace(const std::string& path);

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_READER_TRACE_FILE_H_
