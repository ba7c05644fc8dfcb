#include "benchmarks/traces/replay/replay_times.h"

#include <algorithm>
#include <optional>
#include <set>

#include "benchmarks/traces/graph/trace_tree.h"

namespace assay::traces {
namespace {

class Times {
 public:
  Times(const TraceTree& tree, const ReplayPlan& plan)
      : tree_(tree), plan_(plan), calls_(plan.calls.begin(), plan.calls.end()) {}

  ReplayTimes Of(size_t under) && {
    const std::optional<int64_t> span = SpanNs(tree_, under);
    if (!span) return times_;
    times_.known = true;
    times_.span_ns = *span;
    times_.engine_ns = EngineNs(tree_, under);
    for (const size_t node : tree_.order)
      if (tree_.IsTopMost(node, under)) Add(node);
    times_.operators_ns = times_.covered_ns + times_.lost_ns + times_.composite_ns;
    times_.between_ns =
        std::max<int64_t>(times_.span_ns - times_.operators_ns - times_.engine_ns, 0);
    return times_;
  }

 private:
  int64_t Duration(size_t node) const { return tree_.nodes.DurationNs(node); }

  void Add(size_t node) {
    if (calls_.count(node) > 0) {
      times_.covered_ns += Duration(node);
    } else if (plan_.lost.count(node) > 0) {
      times_.lost_ns += Duration(node);
    } else {
      times_.composite_ns += OwnNs(tree_, node);
      for (const size_t below : tree_.OperatorsBelow(node)) Add(below);
    }
  }

  const TraceTree& tree_;
  const ReplayPlan& plan_;
  const std::set<size_t> calls_;
  ReplayTimes times_;
};

}  // namespace

ReplayTimes TimesOf(const TraceTree& tree, const ReplayPlan& plan, size_t under) {
  return Times(tree, plan).Of(under);
}

}  // namespace assay::traces
