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
#include "benchmarks/harness/text/untrusted_text.h"
#include "benchmarks/traces/graph/validation.h"
#include "benchmarks/traces/replay/traced_call.h"
#include "defs/case/case_steps.h"
#include "defs/case/written_inputs.h"

namespace assay::trace {
namespace {

std::string CaseName(const std::string& path, const std::string& part) {
  std::string name = std::filesystem::path(path).filename().string();
  name = name.substr(0, name.find(".json")) + part;
  for (char& c : name) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name.empty() ? "trace" : name;
}

double Percent(int64_t part, int64_t whole) {
  return 100.0 * static_cast<double>(part) / static_cast<double>(std::max<int64_t>(whole, 1));
}

void AppendLosses(const TraceReplay& facts, std::string& text) {
  for (const TraceLoss& loss : facts.lost()) {
    absl::StrAppend(&text, "lost      ", loss.calls() > 1 ? absl::StrCat(loss.calls(), " of ") : "",
                    traces::NodeText({.id = loss.first_node(), .name = loss.name()}), ": ",
                    loss.reason());
    if (facts.span_ns() > 0) {
      absl::StrAppendFormat(&text, "; %.1f %% of the operators' recorded time",
                            Percent(loss.ns(), facts.operators_ns()));
    }
    text += '\n';
  }
}

void AppendDifferences(const std::vector<std::string>& differences, std::string& text) {
  constexpr size_t kMost = 10;
  for (size_t i = 0; i < std::min(kMost, differences.size()); ++i)
    absl::StrAppend(&text, "differs   ", differences[i], "\n");
}

}  // namespace

ResolvedCase CaseOfTrace(const std::string& path, const std::string& part,
                         const traces::TraceGraph& graph, bool prepared) {
  const std::string name = CaseName(path, part);
  ResolvedCase c;
  BenchmarkCase& b = *c.mutable_benchmark_case();
  b.set_name(name);
  b.set_label("//tools/trace");
  b.set_model(name);
  b.set_mode(EVAL);
  b.set_batch(1);
  b.set_dtype(FP32);
  b.mutable_verify()->set_rule(EXACT);
  b.mutable_verify()->set_provenance("replays in one process give the same bits");
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

TraceReplay FactsOf(const traces::TraceTree& tree, const traces::CheckedReplay& checked,
                    const traces::ReplayTimes& times) {
  const traces::ReplayPlan& plan = checked.plan;
  TraceReplay facts;
  facts.set_operators(static_cast<int64_t>(plan.operators));
  facts.set_covered(static_cast<int64_t>(plan.covered));
  facts.set_calls(static_cast<int64_t>(plan.calls.size()));
  // By name and reason: equal operators are lost for equal reasons.
  std::map<std::pair<std::string, std::string>, TraceLoss> losses;
  for (const auto& [node, reason] : plan.lost) {
    const std::string& name = tree.nodes.CallOf(node).name;
    TraceLoss& loss = losses[{name, reason}];
    if (loss.calls() == 0) loss.set_first_node(tree.nodes.IdsOf(node).id);
    loss.set_name(base::Printable(name, 80));
    loss.set_reason(base::Printable(reason, 400));
    loss.set_calls(loss.calls() + 1);
    loss.set_ns(loss.ns() + tree.nodes.DurationNs(node));
  }
  for (const auto& [key, loss] : losses) *facts.add_lost() = loss;
  size_t results = 0;
  for (const auto& expected : checked.graph.expected) results += expected.size();
  facts.set_results(static_cast<int64_t>(results));
  facts.set_span_ns(times.span_ns);
  facts.set_operators_ns(times.operators_ns);
  facts.set_lost_ns(times.lost_ns);
  facts.set_engine_ns(times.engine_ns);
  return facts;
}

std::string ReplayText(const TraceReplay& facts, const traces::CheckedReplay& checked) {
  const traces::TraceGraph& graph = checked.graph;
  const bool timed = facts.span_ns() > 0;
  std::string text = absl::StrFormat(
      "coverage  %d of %d operators (%.1f %%), %sby %d calls%s\n", facts.covered(),
      facts.operators(), Percent(facts.covered(), facts.operators()),
      timed ? absl::StrFormat("%.1f %% of their recorded time, ",
                              Percent(facts.operators_ns() - facts.lost_ns(), facts.operators_ns()))
            : "",
      facts.calls(), timed ? "" : "; the trace has no times of operators");
  AppendLosses(facts, text);
  const int saved = graph.constants - graph.seeded;
  absl::StrAppend(
      &text, "values    ", graph.constants, " storages, ", base::ByteText(graph.bytes),
      saved == 0 ? ", seeded: the trace has no values" : ", as saved",
      saved > 0 && graph.seeded > 0
          ? absl::StrCat("; ", graph.seeded, " of them seeded, as nobody saved them")
          : "",
      graph.host_written == 0 ? ""
      : saved == 0 ? absl::StrCat("; ", graph.host_written, " of them were written by the host")
                   : absl::StrCat("; ", graph.host_written, " writes of the host are copied in"),
      graph.views > 0 ? absl::StrCat("; ", graph.views, " views that no operator made are put in")
                      : "",
      "\n");
  if (checked.differences.empty()) {
    return absl::StrCat(text, "checked   ", facts.results(),
                        " results have the trace's shapes, dtypes and strides\n");
  }
  absl::StrAppend(&text, "checked   ", checked.differences.size(), " of ", facts.results(),
                  " results differ from the trace\n");
  AppendDifferences(checked.differences, text);
  return text;
}

std::string TimesText(const traces::ReplayTimes& times, absl::Duration replay) {
  std::string text;
  const auto line = [&](std::string_view what, int64_t ns, std::string_view says) {
    if (ns == 0) return;
    absl::StrAppendFormat(&text, "%-10s%-12s%9.3f ms  %5.1f %%  %s\n", text.empty() ? "time" : "",
                          what, static_cast<double>(ns) / 1e6, Percent(ns, times.span_ns), says);
  };
  line("recorded", times.span_ns, "from the first operator to the end of the last, in the program");
  line("operators", times.covered_ns, "called again, with all that they call");
  line("lost", times.lost_ns, "operators that are not called");
  line("composite", times.composite_ns,
       "own time of operators whose parts are called in their place");
  line("autograd", times.engine_ns, "its engine: a replay builds and runs no graph");
  line("between", times.between_ns, "the program's own code, and the recorder's clock");
  line("replay", absl::ToInt64Nanoseconds(replay),
       "shortest of the first calls; the measurement follows");
  return text;
}

std::string ProvenanceText(const traces::ValueCheck& check) {
  const traces::ResultCounts& values = check.counts;
  std::string text = absl::StrCat("the trace's digests: ", values.equal, " of ", values.Compared(),
                                  " results equal to the bit");
  if (values.near > 0) {
    absl::StrAppendFormat(&text,
                          "; of the others, up to eight elements each are within the limits of "
                          "their dtype, %.2g standard deviations at most",
                          values.farthest);
  }
  return text;
}

std::string ValuesText(const traces::ValueCheck& check) {
  std::string text = absl::StrCat("checked   ", ProvenanceText(check));
  if (check.counts.unwritten > 0)
    absl::StrAppend(&text, "; ", check.counts.unwritten, " more are of memory that nobody wrote");
  text += '\n';
  if (check.counts.near > 0 || !check.differences.empty()) {
    text +=
        "note      another machine, or another number of threads (--threads), may add in another "
        "order\n";
  }
  AppendDifferences(check.differences, text);
  return text;
}

}  // namespace assay::trace
