#include "benchmarks/traces/replay/replay_plan.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"

namespace assay::traces {
namespace {

// Why no machine can replay the node from this file; empty: it may be possible.
std::string WhyNever(const TraceNode& node) {
  if (node.kernel_backend == "triton") {
    return absl::StrCat("a Triton kernel: the trace has only the name of its source",
                        node.kernel_file.empty() ? "" : ", ", node.kernel_file.substr(0, 12),
                        node.kernel_file.empty() ? "" : "…");
  }
  if (node.name == "record_param_comms") return "a collective, which needs the other ranks";
  if (absl::StartsWith(node.name, "profiler::"))
    return "it opens or closes a range of the profiler";
  if (node.name == "aten::record_stream") return "it is of CUDA's streams";
  return "";
}

class Planner {
 public:
  Planner(const TraceTree& tree, const Storages& storages,
          const std::map<size_t, std::string>& refused, const LeftOut& left_out)
      : tree_(tree), storages_(storages), refused_(refused) {
    if (left_out.empty()) return;
    for (const size_t node : tree.order) FindLeftOut(node, left_out);
  }

  ReplayPlan Plan(size_t under) && {
    std::vector<size_t> top;
    for (const size_t node : tree_.order) {
      if (!tree_.IsOperator(node) || !tree_.Under(node, under)) continue;
      ++plan_.operators;
      if (tree_.IsTopMost(node, under)) top.push_back(node);
    }
    for (const size_t node : top) Take(node);
    while (DescendOnce()) {
    }
    plan_.calls.assign(calls_.begin(), calls_.end());
    std::sort(plan_.calls.begin(), plan_.calls.end(), [&](size_t a, size_t b) {
      return std::pair(tree_.nodes.IdsOf(a).id, a) < std::pair(tree_.nodes.IdsOf(b).id, b);
    });
    CountCovered(under);
    return std::move(plan_);
  }

 private:
  void FindLeftOut(size_t node, const LeftOut& left_out) {
    const auto above = left_out_.find(tree_.parent[node]);
    if (above != left_out_.end()) {
      const std::string reason = above->second;
      left_out_[node] = reason;
      return;
    }
    for (const auto& [part, reason] : left_out) {
      if (absl::StrContains(tree_.nodes.CallOf(node).name, part)) left_out_[node] = reason;
    }
  }

  void Take(size_t node) {
    if (const auto left_out = left_out_.find(node); left_out != left_out_.end()) {
      plan_.lost[node] = left_out->second;
      return;
    }
    std::string reason = WhyNever(tree_.nodes.CallOf(node));
    const auto refused = refused_.find(node);
    if (reason.empty() && refused != refused_.end()) reason = refused->second;
    if (reason.empty()) {
      calls_.insert(node);
    } else if (!Descend(node)) {
      plan_.lost[node] = reason;
    }
  }

  // Whether there was something below it.
  bool Descend(size_t node) {
    calls_.erase(node);
    const std::vector<size_t> below = tree_.OperatorsBelow(node);
    for (const size_t next : below) Take(next);
    return !below.empty();
  }

  // The call that the node is made in; kNoNode: none.
  size_t CallAround(size_t node) const {
    while (node != kNoNode && calls_.count(node) == 0) node = tree_.parent[node];
    return node;
  }

  bool Returns(size_t call, int storage) const {
    const absl::Span<const int> outputs = storages_.outputs[call];
    return std::find(outputs.begin(), outputs.end(), storage) != outputs.end();
  }

  // Descends into the operators that made, inside, what another call reads.
  bool DescendOnce() {
    std::set<size_t> opened;
    for (const size_t call : calls_) {
      for (const int storage : storages_.inputs[call]) {
        if (storage == kNoStorage) continue;
        const size_t born = storages_.all[static_cast<size_t>(storage)].born;
        const size_t around = born == kNoNode ? kNoNode : CallAround(born);
        if (around == kNoNode || around == call || Returns(around, storage)) continue;
        opened.insert(around);
      }
    }
    bool any = false;
    for (const size_t call : opened) any = Descend(call) || any;
    return any;
  }

  // An operator is covered where it, one around it, or all below it are called.
  void CountCovered(size_t under) {
    std::vector<bool> covered(tree_.nodes.size());
    for (auto node = tree_.order.rbegin(); node != tree_.order.rend(); ++node) {
      if (!tree_.IsOperator(*node)) continue;
      if (!tree_.Under(*node, under)) continue;
      const std::vector<size_t> below = tree_.OperatorsBelow(*node);
      covered[*node] = CallAround(*node) != kNoNode ||
                       (!below.empty() && std::all_of(below.begin(), below.end(),
                                                      [&](size_t next) { return covered[next]; }));
      if (covered[*node]) ++plan_.covered;
    }
  }

  const TraceTree& tree_;
  const Storages& storages_;
  const std::map<size_t, std::string>& refused_;
  std::map<size_t, std::string> left_out_;  // nodes with the reasons
  std::set<size_t> calls_;
  ReplayPlan plan_;
};

}  // namespace

ReplayPlan PlanReplay(const TraceTree& tree, const Storages& storages,
                      const std::map<size_t, std::string>& refused, size_t under,
                      const LeftOut& left_out) {
  return Planner(tree, storages, refused, left_out).Plan(under);
}

}  // namespace assay::traces
