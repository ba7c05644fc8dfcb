#ifndef ASSAY_BENCHMARKS_TRACES_READER_NODE_SPLITTER_H_
#define ASSAY_BENCHMARKS_TRACES_READER_NODE_SPLITTER_H_

// ---------------------------------------------------------------------------------------------
// node_splitter.h: cuts the text of an execution trace into its nodes, as it comes, in pieces of any
// size. It keeps the text of one node.
//
// A node is an object in the list "nodes" of the outermost object, or in "traceEvents", as Kineto has
// it. All else stays in Header().
//
// Example:
//   NodeSplitter splitter([](std::string_view node) { return Take(node); });
//   while (Read(chunk)) if (absl::Status s = splitter.Feed(chunk); !s.ok()) return s;
//   if (!splitter.Whole()) std::cerr << "the file is torn";
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/traces/reader/trace_pieces.h"

namespace assay::traces {

class NodeSplitter {
 public:
  explicit NodeSplitter(std::function<absl::Status(std::string_view node)> take)
      : take_(std::move(take)) {}

  // The first error of `take`; InvalidArgument for text that no trace begins with, and for a header
  // or a node that is too long to be one.
  absl::Status Feed(std::string_view text);

  // The text outside the nodes: JSON once Whole(), and JSON with "]}" behind it within the nodes.
  const std::string& Header() const { return header_; }
  // Whether the outermost object is closed.
  bool Whole() const { return started_ && depth_ == 0; }

 private:
  std::function<absl::Status(std::string_view)> take_;
  std::string header_ = {}, node_ = {};
  int depth_ = 0;
  bool started_ = false, in_string_ = false, escaped_ = false;
  bool in_nodes_ = false;  // the list at depth 2
};

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

#endif  // ASSAY_BENCHMARKS_TRACES_READER_NODE_SPLITTER_H_
