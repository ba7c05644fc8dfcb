#include "benchmarks/traces/reader/kineto_join.h"

#include <unordered_map>

namespace assay::traces {
namespace {

struct ById {
  const TraceNode* node = nullptr;
  int count = 0;
};

std::unordered_map<int64_t, ById> NodesById(const Trace& trace) {
  std::unordered_map<int64_t, ById> nodes;
  for (const TraceNode& node : trace.nodes) {
    if (node.rf_id == 0) continue;
    ById& entry = nodes[node.rf_id];
    entry.node = &node;
    ++entry.count;
  }
  return nodes;
}

}  // namespace

JoinReport JoinTimes(Trace& trace, const Trace& kineto) {
  const std::unordered_map<int64_t, ById> events = NodesById(kineto);
  const std::unordered_map<int64_t, ById> own = NodesById(trace);
  std::unordered_map<int64_t, int64_t> joined_ids;  // of events, to those of nodes
  JoinReport report;
  for (TraceNode& node : trace.nodes) {
    const auto event = events.find(node.rf_id);
    if (node.rf_id == 0) {
      ++report.without_id;
    } else if (event == events.end()) {
      ++report.without_event;
    } else if (event->second.count > 1 || own.at(node.rf_id).count > 1) {
      ++report.ambiguous;
    } else if (event->second.node->name != node.name) {
      ++report.other_name;
    } else {
      ++report.joined;
      node.start_ns = event->second.node->start_ns;
      node.duration_ns = event->second.node->duration_ns;
      joined_ids[event->second.node->id] = node.id;
    }
  }
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
