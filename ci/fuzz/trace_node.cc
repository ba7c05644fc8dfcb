// Nodes of execution traces: a printable error, or a node that is the same after it was written and read.
#include <cstdint>
#include <string>

#include "benchmarks/traces/reader/node_json.h"
#include "benchmarks/traces/reader/node_list.h"
#include "benchmarks/traces/reader/node_text.h"
#include "ci/fuzz/property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace assay::traces;
  using assay::fuzz::Require;
  const absl::StatusOr<TraceNode> node = ParseNode(assay::fuzz::Input(data, size));
  if (!node.ok()) {
    assay::fuzz::RequireMessage(node.status().message());
    return 0;
  }
  const std::string written = JsonOfNode(*node);
  const absl::StatusOr<TraceNode> read = ParseNode(written);
  Require(read.ok(), "a node that was written can be read");
  Require(JsonOfNode(*read) == written, "a node is the same after it was written and read");
  const NodeList list = {*node, *read};
  for (const TraceNode& kept : list)
    Require(JsonOfNode(kept) == written, "a list gives a node back as it was");
  return 0;
}
