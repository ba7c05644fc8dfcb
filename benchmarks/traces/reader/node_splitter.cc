#include "benchmarks/traces/reader/node_splitter.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/text/untrusted_text.h"

namespace assay::traces {
namespace {

constexpr int kDeepest = 64;
constexpr size_t kLongestHeader = size_t{1} << 20, kLongestNode = size_t{1} << 28;

bool IsSpace(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

// Whether the value that follows this text is that of the member with the nodes.
bool EndsWithNodes(std::string_view header) {
  header = absl::StripTrailingAsciiWhitespace(header);
  if (!absl::ConsumeSuffix(&header, ":")) return false;
  header = absl::StripTrailingAsciiWhitespace(header);
  return absl::EndsWith(header, "\"nodes\"") || absl::EndsWith(header, "\"traceEvents\"");
}

}  // namespace

absl::Status NodeSplitter::Feed(std::string_view text) {
  size_t from = 0;  // where the part of the node in this text begins
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (!started_ && !IsSpace(c)) {
      if (c != '{') return absl::InvalidArgumentError("it does not begin as JSON's objects do");
      started_ = true;
    }
    // Outside nodes and outside what stands between them.
    const bool header = depth_ <= 1 || !in_nodes_;
    if (in_string_) {
      if (escaped_) {
        escaped_ = false;
      } else if (c == '\\') {
        escaped_ = true;
      } else if (c == '"') {
        in_string_ = false;
      }
    } else if (c == '"') {
      in_string_ = true;
    } else if (c == '{' || c == '[') {
      if (++depth_ > kDeepest) return absl::InvalidArgumentError("it is nested deeper than 64");
      if (depth_ == 2) in_nodes_ = c == '[' && EndsWithNodes(header_);
      if (depth_ == 3 && in_nodes_ && c == '{') from = i;
    } else if (c == '}' || c == ']') {
      --depth_;
      if (depth_ < 0) return absl::InvalidArgumentError("it closes a bracket that it did not open");
      if (depth_ == 2 && in_nodes_ && c == '}') {
        node_.append(text, from, i + 1 - from);
        const absl::Status taken = take_(node_);
        node_.clear();
        if (!taken.ok()) return taken;
      }
      if (depth_ == 1 && in_nodes_) {
        header_ += c;
        in_nodes_ = false;
        continue;
      }
    }
    if (header) header_ += c;
    if (header_.size() > kLongestHeader)
      return absl::InvalidArgumentError("its header is longer than 1 MiB");
  }
  if (depth_ >= 3 && in_nodes_) node_.append(text, from, text.size() - from);
  if (node_.size() > kLongestNode)
    return absl::InvalidArgumentError("a node of it is longer than 256 MiB");
  return absl::OkStatus();
}

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
