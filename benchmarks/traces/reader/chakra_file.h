#ifndef ASSAY_BENCHMARKS_TRACES_READER_CHAKRA_FILE_H_
#define ASSAY_BENCHMARKS_TRACES_READER_CHAKRA_FILE_H_

// ---------------------------------------------------------------------------------------------
// chakra_file.h: execution traces as MLCommons' Chakra has them (.et): a GlobalMetadata, then one Node
// after another, each behind its length. chakra.proto has the messages and their source.
//
// Values, shapes and types are texts there: JSON as we write them, or lists as Python prints them, as
// Chakra's own converter does. What the schema has no field for stands in attributes: strides, and
// times in nanoseconds (its own are in microseconds).
//
// Simulators wait for data dependencies, which an execution trace lacks. As Chakra's own converter
// does, each node is written to depend on the node before it in its thread. They are not read back.
//
// Example:
//   absl::Status written = WriteChakra("rank.0.et", trace.about, trace.nodes);
//   absl::StatusOr<TraceReading> read = ReadChakra({.path = "rank.0.et"}, take);
// ---------------------------------------------------------------------------------------------

#include <functional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/traces/reader/node_list.h"
#include "benchmarks/traces/reader/trace_node.h"
#include "benchmarks/traces/reader/trace_pieces.h"

namespace assay::traces {

// Whether the first bytes of a file are a GlobalMetadata behind its length.
bool IsChakra(std::string_view beginning);

// InvalidArgument, with the node's number, for what is no message or has values that cannot be read.
absl::StatusOr<TraceReading> ReadChakra(const TraceSource& source,
                                        const std::function<absl::Status(TraceNode node)>& take);

// In order of ids, which have to be positive. The errors of AtomicFile.
absl::Status WriteChakra(const std::string& path, const TraceReading& about, const NodeList& nodes);

// A list as Python prints it, ['a', True, None, nan], as JSON. Text that is JSON stays as it is.
std::string JsonOfPython(std::string_view text);

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_READER_CHAKRA_FILE_H_
