#include "benchmarks/traces/graph/trace_times.h"

#include <algorithm>
#include <limits>

#include "absl/strings/match.h"

namespace assay::traces {

void Mark(TimeMarks& marks, int64_t start_ns, int64_t duration_ns) {
  marks.emplace_back(start_ns, 1);
  marks.emplace_back(start_ns + duration_ns, -1);
}

int64_t TimeOpen(TimeMarks marks, int least) {
  // An end comes before a begin at the same time.
  std::sort(marks.begin(), marks.end());
  int64_t time = 0, since = 0;
  int open = 0;
  for (const auto& [at, step] : marks) {
    if (open >= least) time += at - since;
    since = at;
    open += step;
  }
  return time;
}

std::optional<int64_t> SpanNs(const TraceTree& tree, size_t under) {
  int64_t first = std::numeric_limits<int64_t>::max(), last = 0;
  for (const size_t node : tree.order) {
    const NodeList::Times of = tree.nodes.TimesOf(node);
    if (of.duration_ns < 0 || !tree.Under(node, under)) continue;
    first = std::min(first, of.start_ns);
    last = std::max(last, of.start_ns + of.duration_ns);
  }
  if (first > last) return std::nullopt;
  return last - first;
}

int64_t OwnNs(const TraceTree& tree, size_t node) {
  int64_t own = tree.nodes.DurationNs(node);
  for (const size_t below : tree.OperatorsBelow(node)) own -= tree.nodes.DurationNs(below);
  return std::max<int64_t>(own, 0);
}

int64_t EngineNs(const TraceTree& tree, size_t under) {
  int64_t engine = 0;
  for (const size_t node : tree.order) {
    if (absl::StartsWith(tree.nodes.CallOf(node).name, "autograd::engine::evaluate_function") &&
        tree.Under(node, under))
      engine += OwnNs(tree, node);
  }
  return engine;
}

}  // namespace assay::traces
