#ifndef ASSAY_BENCHMARKS_TRACES_READER_SOURCE_NODES_H_
#define ASSAY_BENCHMARKS_TRACES_READER_SOURCE_NODES_H_

// ---------------------------------------------------------------------------------------------
// source_nodes.h: the nodes of a source that is JSON, each as its text.
//
// Example:
//   absl::StatusOr<SourceEnd> end = SplitSource(source, [](std::string_view node, const std::string& head) {
//     return Take(node);
//   });
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/traces/reader/trace_pieces.h"

namespace assay::traces {

struct SourceEnd {
  std::string header = {};  // the text outside the nodes
  std::string torn = {};    // why it is not whole; empty: it is
};

// `head`: what stands before the first node. The first error of `take`, and the errors of
// TracePieces::Open() and NodeSplitter::Feed().
absl::StatusOr<SourceEnd> SplitSource(
    const TraceSource& source,
    const std::function<absl::Status(std::string_view node, const std::string& head)>& take);

// Why a source is not whole.
std::string TornText(int64_t nodes, std::string_view damage);

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_READER_SOURCE_NODES_H_
