#include "benchmarks/traces/reader/source_nodes.h"

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/text/untrusted_text.h"
#include "benchmarks/traces/reader/node_splitter.h"

namespace assay::traces {

absl::StatusOr<SourceEnd> SplitSource(
    const TraceSource& source,
    const std::function<absl::Status(std::string_view node, const std::string& head)>& take) {
  absl::StatusOr<TracePieces> pieces = TracePieces::Open(source);
  if (!pieces.ok()) return pieces.status();
  int64_t nodes = 0;
  const NodeSplitter* head = nullptr;
  NodeSplitter splitter([&](std::string_view node) {
    ++nodes;
    return take(node, head->Header());
  });
  head = &splitter;
  for (std::string_view piece = pieces->Next(); !piece.empty(); piece = pieces->Next()) {
    const absl::Status fed = splitter.Feed(piece);
    if (!fed.ok()) return fed;
  }
  return SourceEnd{.header = splitter.Header(),
                   .torn = splitter.Whole() ? "" : TornText(nodes, pieces->Damage())};
}

std::string TornText(int64_t nodes, std::string_view damage) {
  return absl::StrCat("the file ends within or behind node ", nodes,
                      damage.empty() ? "" : "; the packed data: ", base::Printable(damage, 100),
                      "; nodes that were not written yet are missing");
}

}  // namespace assay::traces
