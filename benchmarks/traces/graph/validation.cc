#include "benchmarks/traces/graph/validation.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/text/untrusted_text.h"
#include "benchmarks/traces/graph/storages.h"

namespace assay::traces {
namespace {

class Findings {
 public:
  explicit Findings(const Trace& trace) : trace_(trace) {}

  void Add(bool error, std::string_view kind, size_t node, const std::string& text) {
    ++added;
    for (Finding& finding : all) {
      if (finding.kind != kind) continue;
      if (finding.nodes.empty() || finding.nodes.back() != node) finding.nodes.push_back(node);
      return;
    }
    all.push_back({.error = error, .kind = kind, .nodes = {node}, .text = text});
    if (node != kNoNode)
      all.back().text = absl::StrCat(NodeText(trace_.nodes[node]), " ", all.back().text);
  }
  void Error(std::string_view kind, size_t node, const std::string& text) {
    Add(true, kind, node, text);
  }
  void Note(std::string_view kind, size_t node, const std::string& text) {
    Add(false, kind, node, text);
  }

  std::vector<Finding> all;
  size_t added = 0;

 private:
  const Trace& trace_;
};

// A tensor of torch.profiler's lists has no dtype, so its bytes are not known.
void LookAtValues(const std::vector<TraceValue>& values, size_t node, bool exact,
                  Findings& findings) {
  for (const TraceValue& value : values) {
    if (!exact && value.items.size() == kCutList) {
      findings.Note("cut list", node,
                    "has a list of 4097 values, where LibTorch's observer cuts longer ones");
    }
    if (!exact && MayBeCut(value)) {
      findings.Note("six decimals", node,
                    absl::StrCat("has the number ", value.number,
                                 "; LibTorch's observer writes six decimals, so 1e-8 is 0 there"));
    }
    if (value.kind == TraceValue::Kind::kLost) {
      findings.Note(
          "lost value", node,
          absl::StrCat("has ", base::Quoted(value.text), " of type ",
                       base::Printable(value.type, 60), ", which the observer does not write"));
    }
    if (value.kind == TraceValue::Kind::kTensor && !value.tensor.dtype.empty() &&
        ExtentOf(value.tensor) < 0) {
      findings.Error("impossible tensor", node,
                     absl::StrCat("has tensor ", value.tensor.id, " of ", value.tensor.elements,
                                  " elements with sizes, strides or an offset that are negative, "
                                  "too large, or make another number of elements"));
    }
    LookAtValues(value.items, node, exact, findings);
  }
}

void LookAtTree(const TraceTree& tree, Findings& findings) {
  for (const size_t node : tree.twice)
    findings.Error("id twice", node, "has the id of another node");
  for (const size_t node : tree.cyclic)
    findings.Error("cycle", node, "is called by a node that it calls");
  for (const size_t node : tree.orphans) {
    findings.Note(
        "missing parent", node,
        absl::StrCat("was called by node ", tree.nodes.IdsOf(node).ctrl_deps,
                     ", which is not in the file: an operator that threw, or a trace that "
                     "began within one"));
  }
  for (const size_t node : tree.order) {
    const size_t above = tree.parent[node];
    if (above == kNoNode || tree.nodes.IdsOf(above).id < tree.nodes.IdsOf(node).id) continue;
    findings.Error(
        "out of order", node,
        absl::StrCat("has a lower id than ", NodeText(tree.nodes[above]), ", which calls it"));
  }
}

// Operators and tensors get their ids from one counter when they are first written, an operator's
// arguments together with it: before the next operator begins.
void LookAtUses(const TraceTree& tree, Findings& findings) {
  for (size_t i = 0; i + 1 < tree.order.size(); ++i) {
    const int64_t next = tree.nodes.IdsOf(tree.order[i + 1]).id;
    tree.nodes.ForEachInput(tree.order[i], [&](const TraceTensor&, int64_t id, int64_t) {
      if (id <= next) return;
      findings.Error("used before made", tree.order[i],
                     absl::StrCat("reads tensor ", id,
                                  ", which was not there yet: the next node has the id ", next));
    });
  }
}

}  // namespace

std::string NodeText(const TraceNode& node) {
  return absl::StrCat(base::Printable(node.name, 80), " (node ", node.id, ")");
}

std::vector<Finding> Validate(const Trace& trace, const TraceTree& tree) {
  Findings findings(trace);
  if (!trace.about.torn.empty()) findings.Note("torn file", kNoNode, trace.about.torn);
  LookAtTree(tree, findings);
  std::vector<bool> sound(trace.nodes.Calls());  // by call
  for (const size_t node : tree.order) {
    if (sound[trace.nodes.CallNumber(node)]) continue;
    const size_t before = findings.added;
    const TraceNode of = tree.nodes[node];
    if (of.IsOperator() && of.name.empty()) findings.Error("no name", node, "has no name");
    LookAtValues(of.inputs, node, trace.about.exact, findings);
    LookAtValues(of.outputs, node, trace.about.exact, findings);
    sound[trace.nodes.CallNumber(node)] = findings.added == before;
  }
  LookAtUses(tree, findings);
  std::stable_sort(findings.all.begin(), findings.all.end(),
                   [](const Finding& a, const Finding& b) { return a.error > b.error; });
  return std::move(findings.all);
}

}  // namespace assay::traces
