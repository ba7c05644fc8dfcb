#include "tools/trace/trace_case.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "benchmarks/harness/base/dtype.h"
#include "benchmarks/harness/text/byte_text.h"
#include "benchmarks/traces/graph/validation.h"
#include "benchmarks/traces/replay/traced_call.h"
#include "defs/case/case_steps.h"
#include "defs/case/written_inputs.h"

namespace assay::trace {
namespace {

std::string CaseName(const std::string& path) {
  std::string name = std::filesystem::path(path).filename().string();
  name = name.substr(0, name.find(".json"));
  for (char& c : name) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name.empty() ? "trace" : name;
}

void AppendLosses(const traces::TraceTree& tree, const traces::CheckedReplay& checked,
                  std::string& text) {
  // By name and reason: equal operators are lost for equal reasons.
  std::map<std::pair<std::string, std::string>, std::vector<size_t>> losses;
  for (const auto& [node, reason] : checked.plan.lost)
    losses[{tree.nodes[node].name, reason}].push_back(node);
  for (const auto& [loss, nodes] : losses) {
    absl::StrAppend(&text, "lost      ", nodes.size() > 1 ? absl::StrCat(nodes.size(), " of ") : "",
                    traces::NodeText(tree.nodes[nodes[0]]), ": ", loss.second, "\n");
  }
}

}  // namespace

ResolvedCase CaseOfTrace(const std::string& path, const traces::TraceGraph& graph, bool prepared) {
  const std::string name = CaseName(path);
  ResolvedCase c;
  BenchmarkCase& b = *c.mutable_benchmark_case();
  b.set_name(name);
  b.set_label("//tools/trace");
  b.set_model(name);
  b.set_mode(EVAL);
  b.set_batch(1);
  b.set_dtype(FP32);
  c.mutable_model()->set_name(name);
  c.mutable_implementation()->set_name("trace");
  c.mutable_implementation()->set_description("An execution trace, replayed");
  Workload workload;
  workload.set_batch(1);
  for (const traces::TraceTensor& tensor : graph.outputs) {
    ExpectedOutput& output = *workload.add_outputs();
    output.set_name(absl::StrCat("output_", workload.outputs_size() - 1));
    output.set_dtype(base::FromScalarType(*traces::ScalarTypeOf(tensor.dtype)));
    for (const int64_t size : tensor.sizes) output.add_shape(size);
    if (!base::IsFloatingPoint(output.dtype())) output.set_rule(EXACT);
  }
  if (prepared) SetWrittenState("tensors", workload);
  for (Workload* each :
       {c.mutable_measured(), c.mutable_verified(), c.mutable_smoke(), c.mutable_referenced()})
    *each = workload;
  SetSteps(c);
  return c;
}

std::string ReplayText(const traces::TraceTree& tree, const traces::CheckedReplay& checked) {
  const traces::ReplayPlan& plan = checked.plan;
  const traces::TraceGraph& graph = checked.graph;
  size_t results = 0;
  for (const auto& expected : graph.expected) results += expected.size();
  std::string text = absl::StrFormat(
      "coverage  %d of %d operators (%.1f %%), by %d calls; the trace has no times of operators\n",
      plan.covered, plan.operators,
      100.0 * static_cast<double>(plan.covered) /
          static_cast<double>(std::max<size_t>(plan.operators, 1)),
      plan.calls.size());
  AppendLosses(tree, checked, text);
  absl::StrAppend(&text, "values    ", graph.constants, " storages, ", base::ByteText(graph.bytes),
                  ", seeded: the trace has no values",
                  graph.host_written > 0
                      ? absl::StrCat("; ", graph.host_written, " of them were written by the host")
                      : "",
                  graph.views > 0
                      ? absl::StrCat("; ", graph.views, " views that no operator made are put in")
                      : "",
                  "\n");
  if (checked.differences.empty()) {
    return absl::StrCat(text, "checked   ", results,
                        " results have the trace's shapes, dtypes and strides\n");
  }
  absl::StrAppend(&text, "checked   ", checked.differences.size(), " of ", results,
                  " results differ from the trace\n");
  constexpr size_t kMost = 10;
  for (size_t i = 0; i < std::min(kMost, checked.differences.size()); ++i)
    absl::StrAppend(&text, "differs   ", checked.differences[i], "\n");
  return text;
}

}  // namespace assay::trace
