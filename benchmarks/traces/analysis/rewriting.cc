#include "benchmarks/traces/analysis/rewriting.h"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/traces/graph/trace_tree.h"

namespace assay::traces {
namespace {

using Kind = TraceValue::Kind;

// Texts that LibTorch's own operators take, apart from an equation or a file's name.
constexpr std::string_view kKnownTexts[] = {"amax",  "amin",    "circular", "complete",  "constant",
                                            "floor", "ij",      "mean",     "none",      "prod",
                                            "r",     "reduced", "reflect",  "replicate", "same",
                                            "sum",   "tanh",    "trunc",    "valid",     "xy"};

// Operators whose results have a shape that follows from numbers which are no whole ones.
constexpr std::string_view kShapedByNumbers[] = {"arange",   "linspace",    "logspace", "range",
                                                 "upsample", "interpolate", "histc"};

class Anonymiser {
 public:
  Trace Of(Trace made) && {
    made.about.pid = 0;
    made.about.time.clear();
    made.about.finish_ms -= made.about.start_ms;
    made.about.start_ms = 0;
    made.about.generators.clear();
    int64_t first = std::numeric_limits<int64_t>::max();
    for (size_t node = 0; node < made.nodes.size(); ++node) {
      const int64_t start_ns = made.nodes.TimesOf(node).start_ns;
      if (start_ns >= 0) first = std::min(first, start_ns);
    }
    made.nodes.Change([&](TraceNode& node) {
      node = NodeOf(node);
      if (node.start_ns >= 0) node.start_ns -= first;
    });
    return made;
  }

 private:
  // "label_2" of the second name that is not known.
  static std::string Numbered(std::string_view prefix, const std::string& name,
                              std::map<std::string, size_t>& names) {
    return absl::StrCat(prefix, names.emplace(name, names.size() + 1).first->second);
  }

  static bool IsKnown(const TraceNode& node) {
    const bool ours = absl::StartsWith(node.name, "aten::") ||
                      absl::StartsWith(node.name, "prims::") ||
                      absl::StartsWith(node.name, "c10d::");
    return node.name == "record_param_comms" ||
           (ours && (node.op_schema.empty() || absl::StartsWith(node.op_schema, node.name)));
  }

  std::string LabelOf(const std::string& name) {
    constexpr std::string_view kEngine = "autograd::engine::evaluate_function: ";
    if (absl::StartsWith(name, "[pytorch|profiler|execution_trace|")) return name;
    const bool step = absl::StartsWith(name, "ProfilerStep#") &&
                      absl::c_all_of(name.substr(13), [](char c) { return c >= '0' && c <= '9'; });
    if (step) return name;
    // The engine of autograd calls nodes in any program.
    const bool engine = absl::StartsWith(name, kEngine);
    return absl::StrCat(engine ? kEngine : "",
                        Numbered("label_", engine ? name.substr(kEngine.size()) : name, labels_));
  }

  TraceNode NodeOf(const TraceNode& node) {
    TraceNode made = node;
    const bool known = IsKnown(node);
    if (node.kernel_backend == "triton") {
      made.name = Numbered("triton_", node.name, kernels_);
      made.op_schema.clear();
    } else if (!node.op_schema.empty() && !known) {
      made.name = Numbered("custom::op_", node.name, operators_);
      made.op_schema = absl::StrCat(made.name, "()");
    } else if (!known) {
      made.name = LabelOf(node.name);
    }
    if (!made.kernel_backend.empty() && made.kernel_backend != "triton")
      made.kernel_backend = "other";
    made.kernel_file.clear();
    made.tensor_range.clear();
    made.other_attributes.clear();
    made.tid = ThreadOf(node.tid);
    made.fw_tid = ThreadOf(node.fw_tid);
    made.recorded = NumbersOf(node);
    const bool shaped = absl::c_any_of(kShapedByNumbers, [&](std::string_view word) {
      return absl::StrContains(node.name, word);
    });
    for (std::vector<TraceValue>* values : {&made.inputs, &made.outputs})
      for (TraceValue& value : *values) Hide(value, node.name, shaped);
    return made;
  }

  int64_t ThreadOf(int64_t thread) {
    if (thread <= 0) return 0;
    return static_cast<int64_t>(threads_.emplace(thread, threads_.size() + 1).first->second);
  }

  // Which inputs are numbers stays, since it decides results' dtypes.
  static std::shared_ptr<const RecordedValues> NumbersOf(const TraceNode& node) {
    if (node.recorded == nullptr || node.recorded->wrapped_numbers.empty()) return nullptr;
    auto made = std::make_shared<RecordedValues>();
    for (const auto& [place, number] : node.recorded->wrapped_numbers)
      made->wrapped_numbers[place] = 1;
    return made;
  }

  static void Hide(TraceValue& value, std::string_view name, bool shaped) {
    if (value.kind == Kind::kString && name != "aten::einsum" &&
        !absl::c_linear_search(kKnownTexts, value.text))
      value.text.clear();
    // Numbers that many programs have say nothing, and 0 is often another path of an operator.
    if (value.kind == Kind::kDouble && !shaped && value.number != 0 && value.number != 1 &&
        value.number != -1)
      value.number = 0.5;
    if (value.kind == Kind::kLost && !absl::StartsWith(value.type, "Tensor(")) {
      value.text = "\"\"";
      if (value.type != "ComplexDouble") value.type = "Object";
    }
    if (value.kind != Kind::kList) return;
    for (TraceValue& item : value.items) Hide(item, name, shaped);
    value.type = absl::StrCat(
        value.type.substr(0, value.type.find('[')), "[",
        absl::StrJoin(value.items, ",",
                      [](std::string* out, const TraceValue& item) { out->append(item.type); }),
        "]");
  }

  std::map<std::string, size_t> labels_, operators_, kernels_;
  std::map<int64_t, size_t> threads_;
};

}  // namespace

Trace Clean(Trace trace) {
  const TraceTree tree(trace.nodes);
  std::vector<bool> loader(trace.nodes.size()), holds(trace.nodes.size());
  for (const size_t node : tree.order) {
    const size_t above = tree.parent[node];
    loader[node] = absl::StrContains(trace.nodes.CallOf(node).name, "DataLoader") ||
                   (above != kNoNode && loader[above]);
  }
  for (auto node = tree.order.rbegin(); node != tree.order.rend(); ++node) {
    holds[*node] = holds[*node] || (tree.IsOperator(*node) && !loader[*node]);
    if (holds[*node] && tree.parent[*node] != kNoNode) holds[tree.parent[*node]] = true;
  }
  trace.nodes.Keep(holds);
  return trace;
}

Trace Anonymise(Trace trace) { return Anonymiser().Of(std::move(trace)); }

}  // namespace assay::traces
