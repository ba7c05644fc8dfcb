#include "benchmarks/traces/analysis/explanation.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "benchmarks/traces/analysis/operator_mix.h"
#include "benchmarks/traces/graph/storages.h"
#include "benchmarks/traces/graph/trace_tree.h"

namespace assay::traces {

int64_t BytesMoved(const TraceNode& node) {
  if (IsView(node)) return 0;
  int64_t bytes = 0;
  std::set<int64_t> seen;
  for (const std::vector<TraceValue>* values : {&node.inputs, &node.outputs}) {
    ForEachTensor(*values, [&](const TraceTensor& tensor) {
      if (seen.insert(tensor.id).second) bytes += std::max<int64_t>(BytesOf(tensor), 0);
    });
  }
  return bytes;
}

Explanation Explain(const TraceTree& tree, const ExplainOptions& options) {
  Explanation made;
  std::map<int64_t, TimeMarks> by_thread;
  std::map<int64_t, size_t> operators;
  std::map<std::string, WorkTime> by_name;
  std::vector<size_t> top;
  for (const size_t node : tree.order) {
    if (!tree.IsOperator(node) || !tree.Under(node, options.under)) continue;
    ++made.operators;
    const NodeList::Times of = tree.nodes.TimesOf(node);
    if (of.duration_ns < 0) continue;
    ++made.timed;
    const int64_t thread = tree.nodes.CallOf(node).tid;
    ++operators[thread];
    if (!tree.IsTopMost(node, options.under)) continue;
    top.push_back(node);
    made.dispatch_ns += of.duration_ns;
    Mark(by_thread[thread], of.start_ns, of.duration_ns);
  }
  for (const size_t node : WorkersOf(tree, top)) {
    const int64_t ns = tree.nodes.DurationNs(node);
    WorkTime& total = by_name[OperatorName(tree.nodes.CallOf(node))];
    total.nodes.push_back(node);
    total.ns += ns;
    made.dispatch_ns -= ns;
    if (ns >= options.short_ns) continue;
    made.short_ns += ns;
    ++made.short_calls;
  }
  if (made.timed == 0) return made;
  made.whole_ns = SpanNs(tree, options.under).value_or(0);
  made.engine_ns = EngineNs(tree, options.under);
  TimeMarks all;
  for (const auto& [thread, events] : by_thread) {
    made.threads.push_back(
        {.thread = thread, .operators = operators[thread], .busy_ns = TimeOpen(events)});
    all.insert(all.end(), events.begin(), events.end());
  }
  made.busy_ns = TimeOpen(all);
  made.overlap_ns = TimeOpen(all, 2);
  for (auto& [name, total] : by_name) {
    total.name = name;
    made.work.push_back(std::move(total));
  }
  std::stable_sort(made.work.begin(), made.work.end(),
                   [](const WorkTime& a, const WorkTime& b) { return a.ns > b.ns; });
  std::stable_sort(made.threads.begin(), made.threads.end(),
                   [](const ThreadTime& a, const ThreadTime& b) { return a.busy_ns > b.busy_ns; });
  return made;
}

}  // namespace assay::traces
