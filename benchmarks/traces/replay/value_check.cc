#include "benchmarks/traces/replay/value_check.h"

#include <c10/core/InferenceMode.h>

#include <map>
#include <set>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/dispatcher/boxed_operator.h"
#include "benchmarks/harness/dispatcher/operator_graph.h"
#include "benchmarks/traces/graph/validation.h"

namespace assay::traces {
namespace {

const void* MemoryOf(const at::Tensor& tensor) {
  return tensor.defined() && tensor.has_storage() ? tensor.storage().unsafeGetStorageImpl()
                                                  : nullptr;
}

class Checker {
 public:
  Checker(const TraceTree& tree, const TraceGraph& graph)
      : tree_(tree), graph_(graph), replay_(graph.graph, {}) {}

  ValueCheck Check() && {
    for (size_t i = 0; i < graph_.graph.calls.size(); ++i) Make(i);
    for (const int output : graph_.graph.outputs) check_.outputs.push_back(replay_[output].clone());
    return std::move(check_);
  }

 private:
  void Make(size_t i) {
    const execution::GraphCall& call = graph_.graph.calls[i];
    const TraceNode node = tree_.nodes[graph_.nodes[i]];
    const std::vector<int> written = execution::WrittenBy(call);
    const std::map<int, at::Tensor> arguments = ArgumentsOf(call, replay_);
    const c10::Stack results = replay_.Make(call);
    if (MakesEmpty(node)) {
      for (const at::Tensor& made : execution::TensorsOf(results)) empty_.insert(MemoryOf(made));
    }
    if (node.recorded == nullptr) return;
    for (const ExpectedTensor& want : graph_.expected[i]) {
      const auto shares = arguments.find(want.shares);
      // Such a view may show what lay in the memory before.
      const bool shows = shares != arguments.end() && empty_.count(MemoryOf(shares->second)) > 0 &&
                         !absl::c_linear_search(written, want.shares);
      Compare(node, ResultText(node, want), want.place, ResultOf(results, want), shows);
    }
    if (!node.outputs.empty() || graph_.expected[i].size() > 0) return;
    for (size_t place = 0; place < written.size(); ++place) {
      Compare(node, absl::StrCat(NodeText(node), ": tensor ", place, " that it writes to"), place,
              arguments.at(written[place]), /*shows_empty=*/false);
    }
  }

  void Compare(const TraceNode& node, std::string_view what, size_t place, const at::Tensor& got,
               bool shows_empty) {
    ResultCounts counts = check_.counts;
    const std::string wrong = CompareRecorded(*node.recorded, place, got, counts);
    // Bytes that lay in the memory may be near by accident.
    if (shows_empty && (!wrong.empty() || counts.near > check_.counts.near)) {
      ++check_.counts.unwritten;
      return;
    }
    check_.counts = counts;
    if (!wrong.empty()) check_.differences.push_back(absl::StrCat(what, " ", wrong));
  }

  const TraceTree& tree_;
  const TraceGraph& graph_;
  execution::GraphReplay replay_;
  std::set<const void*> empty_;  // memory that aten::empty made
  ValueCheck check_;
};

}  // namespace

ValueCheck CheckValues(const TraceTree& tree, const TraceGraph& graph) {
  const c10::InferenceMode inference;
  graph.random.Restore();
  return Checker(tree, graph).Check();
}

}  // namespace assay::traces
