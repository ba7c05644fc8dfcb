#ifndef ASSAY_BENCHMARKS_TRACES_READER_KINETO_FILE_H_
#define ASSAY_BENCHMARKS_TRACES_READER_KINETO_FILE_H_

// ---------------------------------------------------------------------------------------------
// kineto_file.h: reads what torch.profiler exports (trace.json, trace.json.gz): operators, ranges and
// modules of torch.nn as nodes with times, and what the GPU did.
//
// The format says neither who called whom nor in which order events stand. So ReadKineto() reads the
// file twice: first each event's times, 40 bytes an event, from which callers follow; then the nodes. Ids count
// in order of start: the process is 1, then threads, then the rest.
//
// Nodes have no schema (kineto_schema.h finds it, by LibTorch), no results, and no storages.
// A kernel belongs to the node around the call of CUDA's runtime with its correlation, or else to the
// operator with its "External id".
//
// Example:
//   absl::StatusOr<TraceReading> read = ReadKineto({.path = "trace.json.gz"}, take);
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/traces/reader/trace_node.h"
#include "benchmarks/traces/reader/trace_pieces.h"

namespace assay::traces {

absl::StatusOr<TraceReading> ReadKineto(const TraceSource& source,
                                        const std::function<absl::Status(TraceNode node)>& take);

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_READER_KINETO_FILE_H_
