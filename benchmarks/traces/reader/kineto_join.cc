#include "benchmarks/traces/reader/kineto_join.h"

#include <unordered_map>

namespace assay::traces {
namespace {

struct ById {
  size_t node = 0;
  int count = 0;
};

std::unordered_map<int64_t, ById> NodesById(const NodeList& nodes) {
  std::unordered_map<int64_t, ById> by_id;
  for (size_t node = 0; node < nodes.size(); ++node) {
    const int64_t rf_id = nodes[node].rf_id;
    if (rf_id == 0) continue;
    ById& entry = by_id[rf_id];
    entry.node = node;
    ++entry.count;
  }
  return by_id;
}

}  // namespace

JoinReport JoinTimes(Trace& trace, const Trace& kineto) {
  const std::unordered_map<int64_t, ById> events = NodesById(kineto.nodes);
  const std::unordered_map<int64_t, ById> own = NodesById(trace.nodes);
  std::unordered_map<int64_t, int64_t> joined_ids;  // of events, to those of nodes
  JoinReport report;
  trace.nodes.Change([&](TraceNode& node) {
    const auto event = events.find(node.rf_id);
    if (node.rf_id == 0) {
      ++report.without_id;
    } else if (event == events.end()) {
      ++report.without_event;
    } else if (event->second.count > 1 || own.at(node.rf_id).count > 1) {
      ++report.ambiguous;
    } else if (const TraceNode of = kineto.nodes[event->second.node]; of.name != node.name) {
      ++report.other_name;
    } else {
      ++report.joined;
      node.start_ns = of.start_ns;
      node.duration_ns = of.duration_ns;
      joined_ids[of.id] = node.id;
    }
  });
  trace.about.without_length = kineto.about.without_length;
  trace.about.kernel_names = kineto.about.kernel_names;
  trace.about.kernels = kineto.about.kernels;
  for (TraceKernel& kernel : trace.about.kernels) {
    const auto found = joined_ids.find(kernel.node);
    kernel.node = found == joined_ids.end() ? 0 : found->second;
  }
  return report;
}

}  // namespace assay::traces
