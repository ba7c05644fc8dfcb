#include "benchmarks/traces/replay/replay_times.h"

#include <algorithm>
#include <limits>
#include <set>

#include "absl/strings/match.h"

namespace assay::traces {
namespace {

constexpr char kEngine[] = "autograd::engine::evaluate_function";

class Times {
 public:
  Times(const TraceTree& tree, const ReplayPlan& plan)
      : tree_(tree), plan_(plan), calls_(plan.calls.begin(), plan.calls.end()) {}

  ReplayTimes Of(size_t under) && {
    int64_t first = std::numeric_limits<int64_t>::max(), last = 0;
    for (const size_t node : tree_.order) {
      const TraceNode& of = tree_.nodes[node];
      if (of.start_ns < 0 || (under != kNoNode && (node == under || !tree_.Within(node, under))))
        continue;
      times_.known = true;
      first = std::min(first, of.start_ns);
      last = std::max(last, of.start_ns + of.duration_ns);
      const size_t above = tree_.OperatorAbove(node);
      const bool top =
          above == kNoNode || above == under || (under != kNoNode && !tree_.Within(above, under));
      if (of.IsOperator() && top) Add(node);
      if (absl::StartsWith(of.name, kEngine)) times_.engine_ns += OwnTime(node);
    }
    if (!times_.known) return times_;
    times_.span_ns = last - first;
    times_.operators_ns = times_.covered_ns + times_.lost_ns + times_.composite_ns;
    times_.between_ns =
        std::max<int64_t>(times_.span_ns - times_.operators_ns - times_.engine_ns, 0);
    return times_;
  }

 private:
  int64_t Duration(size_t node) const {
    return std::max<int64_t>(tree_.nodes[node].duration_ns, 0);
  }

  // Without the operators in it.
  int64_t OwnTime(size_t node) const {
    int64_t own = Duration(node);
    for (const size_t below : tree_.OperatorsBelow(node)) own -= Duration(below);
    return std::max<int64_t>(own, 0);
  }

  void Add(size_t node) {
    if (calls_.count(node) > 0) {
      times_.covered_ns += Duration(node);
    } else if (plan_.lost.count(node) > 0) {
      times_.lost_ns += Duration(node);
    } else {
      times_.composite_ns += OwnTime(node);
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
