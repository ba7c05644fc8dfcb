#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/costs/operator_flops.h"
#include "benchmarks/harness/output/output.h"
#include "benchmarks/harness/processes/program_main.h"
#include "benchmarks/harness/record/record_file.h"
#include "benchmarks/harness/text/untrusted_text.h"
#include "benchmarks/traces/analysis/explanation.h"
#include "benchmarks/traces/analysis/operator_mix.h"
#include "benchmarks/traces/graph/trace_tree.h"
#include "benchmarks/traces/reader/kineto_schema.h"
#include "benchmarks/traces/replay/traced_call.h"
#include "nlohmann/json.hpp"
#include "tools/trace/actions.h"
#include "tools/trace/explain_devices.h"

namespace assay::trace {
namespace {

using traces::Explanation;
using traces::TraceNode;
using traces::TraceValue;
using traces::WorkTime;

// The peaks of the machine, of float32; 0: unknown.
struct Peaks {
  double flops_per_s = 0, bytes_per_s = 0;
};

absl::StatusOr<Peaks> ReadPeaks(const std::vector<std::string>& files) {
  Peaks peaks;
  for (const std::string& file : files) {
    const absl::StatusOr<record::RecordFile> records = record::ReadAll(file);
    if (!records.ok()) return records.status();
    for (const Record& record : records->records) {
      for (const Peak& peak : record.peaks()) {
        if (peak.name() == "compute" && peak.dtype() == FP32)
          peaks.flops_per_s = std::max(peaks.flops_per_s, peak.per_s());
        if (peak.name() == "stream" || peak.name() == "read")
          peaks.bytes_per_s = std::max(peaks.bytes_per_s, peak.per_s());
      }
    }
  }
  if (!files.empty() && peaks.flops_per_s == 0 && peaks.bytes_per_s == 0)
    return absl::InvalidArgumentError(absl::StrCat(
        files[0], ": no record has peaks; a run with --peaks --record=FILE measures them"));
  return peaks;
}

// A value with tensors that have no memory.
c10::IValue Described(const TraceValue& value) {
  switch (value.kind) {
    case TraceValue::Kind::kTensor: {
      const auto dtype = traces::ScalarTypeOf(value.tensor.dtype);
      const at::TensorOptions options =
          at::TensorOptions(at::kMeta).dtype(dtype.value_or(at::kFloat));
      return value.tensor.has_strides
                 ? at::empty_strided(value.tensor.sizes, value.tensor.strides, options)
                 : at::empty(value.tensor.sizes, options);
    }
    case TraceValue::Kind::kInt:
      return value.integer;
    case TraceValue::Kind::kDouble:
      return value.number;
    case TraceValue::Kind::kBool:
      return value.integer != 0;
    case TraceValue::Kind::kList: {
      if (!value.items.empty() && value.items[0].kind == TraceValue::Kind::kInt) {
        std::vector<int64_t> numbers;
        for (const TraceValue& item : value.items) numbers.push_back(item.integer);
        return numbers;
      }
      if (!value.items.empty() && value.items[0].kind == TraceValue::Kind::kBool) {
        c10::List<bool> flags;
        for (const TraceValue& item : value.items) flags.push_back(item.integer != 0);
        return flags;
      }
      return {};
    }
    default:
      return {};
  }
}

// Nothing where the number isn't known by the operator's name, or it is of those that it calls.
std::optional<double> FlopsOf(const TraceNode& node) {
  std::optional<double> flops;
  const absl::Status counted = base::CatchTorch(node.name, [&] {
    std::vector<c10::IValue> inputs;
    for (const TraceValue& value : node.inputs) inputs.push_back(Described(value));
    const costs::OperatorFlops judged = costs::JudgeOperator(
        node.name, c10::ArrayRef<const c10::IValue>(inputs.data(), inputs.size()));
    if (judged.kind == costs::OperatorFlops::Kind::kCounted) flops = judged.flops.all;
  });
  return counted.ok() ? flops : std::nullopt;
}

// By operator: the only one of its workers that moves bytes; kNoNode: none does, or several do.
using OnlyWorkers = absl::flat_hash_map<size_t, size_t>;

size_t OnlyWorker(const traces::TraceTree& tree, size_t node, OnlyWorkers& known) {
  const auto [only, added] = known.try_emplace(node, traces::kNoNode);
  if (!added) return only->second;
  for (const size_t worker : traces::WorkersOf(tree, {node})) {
    if (traces::BytesMoved(tree.nodes[worker]) == 0) continue;
    const bool second = only->second != traces::kNoNode;
    only->second = second ? traces::kNoNode : worker;
    if (second) break;
  }
  return only->second;
}

// Operations of the operator, or of one that leaves its work to it alone: convolution to mkldnn_convolution.
double FlopsOf(const traces::TraceTree& tree, size_t worker, OnlyWorkers& known) {
  for (size_t node = worker; node != traces::kNoNode; node = tree.OperatorAbove(node)) {
    if (OnlyWorker(tree, node, known) != worker) return 0;
    const std::optional<double> flops = FlopsOf(tree.nodes.CallOf(node));
    if (flops) return *flops;
  }
  return 0;
}

// The least time that the machine needs, as a share of the time that it took.
std::optional<double> OfRoof(const WorkRate& rate, double ns, const Peaks& peaks) {
  double least = 0;
  if (peaks.flops_per_s > 0) least = std::max(least, rate.flops / peaks.flops_per_s);
  if (peaks.bytes_per_s > 0) least = std::max(least, rate.bytes / peaks.bytes_per_s);
  if (least == 0 || ns <= 0) return std::nullopt;
  constexpr double kNanosecond = 1e-9;
  return least / (ns * kNanosecond);
}

std::string PerNanosecond(double amount, int64_t ns) {
  return amount > 0 && ns > 0 ? output::FigureText(amount / static_cast<double>(ns)) : "-";
}

std::string JsonOf(const traces::Trace& trace, const traces::TraceTree& tree, const Explanation& e,
                   const Peaks& peaks, size_t most) {
  nlohmann::ordered_json all = {
      {"whole_ns", e.whole_ns},       {"busy_ns", e.busy_ns},         {"overlap_ns", e.overlap_ns},
      {"engine_ns", e.engine_ns},     {"dispatch_ns", e.dispatch_ns}, {"short_ns", e.short_ns},
      {"short_calls", e.short_calls}, {"operators", e.operators},     {"timed", e.timed}};
  for (const traces::ThreadTime& thread : e.threads)
    all["threads"].push_back(
        {{"thread", thread.thread}, {"operators", thread.operators}, {"busy_ns", thread.busy_ns}});
  for (size_t i = 0; i < std::min(most, e.work.size()); ++i) {
    const WorkTime& total = e.work[i];
    const WorkRate rate = RateOf(tree, total);
    nlohmann::ordered_json row = {
        {"operator", total.name}, {"calls", total.nodes.size()}, {"ns", total.ns}};
    if (rate.flops > 0) row["flops"] = rate.flops;
    if (rate.bytes > 0) row["bytes"] = rate.bytes;
    const auto of_roof = OfRoof(rate, static_cast<double>(total.ns), peaks);
    if (of_roof) row["of_roof"] = *of_roof;
    all["work"].push_back(std::move(row));
  }
  AddDevices(trace, most, all);
  return JsonFileText(all);
}

std::string SharesText(const Explanation& e) {
  const auto line = [&](std::string_view word, int64_t ns, std::string_view what) {
    return absl::StrFormat("%-10s%s, %s: %s\n", word, NsText(ns), ShareText(ns, e.whole_ns), what);
  };
  std::string text = absl::StrCat(
      "whole     ", NsText(e.whole_ns), ", of which operators run ",
      ShareText(e.busy_ns, e.whole_ns), "\n",
      line("idle", e.whole_ns - e.busy_ns,
           e.timed < e.operators ? "no operator with a time runs" : "no operator runs"),
      line("dispatch", e.dispatch_ns, "operators that leave their work to others, without these"),
      line("short", e.short_ns,
           absl::StrCat(e.short_calls, " operators under 10 us, limited by the call")));
  if (e.engine_ns > 0) text += line("engine", e.engine_ns, "autograd's engine and its nodes");
  if (e.overlap_ns > 0) text += line("overlap", e.overlap_ns, "two threads or more run operators");
  for (const traces::ThreadTime& thread : e.threads) {
    if (e.threads.size() == 1) break;
    text += line(absl::StrCat("thread ", thread.thread), thread.busy_ns,
                 absl::StrCat(thread.operators, " operators, idle ",
                              ShareText(e.whole_ns - thread.busy_ns, e.whole_ns)));
  }
  if (e.timed < e.operators)
    absl::StrAppend(&text, "times     only ", e.timed, " of ", e.operators,
                    " operators have a time in the trace\n");
  return text;
}

// In torch.profiler's trace operators without a schema are operators, too: those that this LibTorch does not
// know, and those that were recorded without arguments.
void AddMissingSchemas(traces::Trace& trace) {
  if (trace.about.format != traces::TraceFormat::kKineto) return;
  trace.nodes.ChangeCalls([](TraceNode& call, int64_t) {
    if (call.op_schema.empty() && traces::IsOperatorName(call.name))
      call.op_schema = absl::StrCat(call.name, "(...)");
  });
}

}  // namespace

WorkRate RateOf(const traces::TraceTree& tree, const WorkTime& total) {
  WorkRate rate;
  OnlyWorkers known;
  for (const size_t node : total.nodes) {
    rate.flops += FlopsOf(tree, node, known);
    rate.bytes += static_cast<double>(traces::BytesMoved(tree.nodes[node]));
  }
  return rate;
}

absl::StatusOr<int> ExplainTrace(GivenTraces& given) {
  traces::Trace& trace = given.traces[0];
  AddMissingSchemas(trace);
  const traces::TraceTree tree(trace.nodes);
  const Explanation e = traces::Explain(tree, {});
  if (e.operators == 0 && trace.about.kernels.empty())
    return absl::InvalidArgumentError(absl::StrCat(given.paths[0], ": the trace has no operators"));
  if (e.timed == 0 && trace.about.kernels.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        given.paths[0],
        ": the trace has no times; one of this suite's recorder has (--capture-trace=DIR), and "
        "--join=PROFILE takes those of torch.profiler's trace of the same run"));
  }
  const absl::StatusOr<Peaks> peaks = ReadPeaks(given.files);
  if (!peaks.ok()) return peaks.status();
  const size_t most = RowsOf(given.flags, 15);
  if (given.flags.json) return processes::Print(JsonOf(trace, tree, e, *peaks, most));
  const std::string devices = DevicesText(trace, most);
  if (e.timed == 0) return processes::Print(devices);
  std::vector<std::vector<std::string>> rows = {
      {"Operator", "Calls", "Time", "Share", "GFLOP/s", "GB/s", "Of the roof"}};
  for (size_t i = 0; i < std::min(most, e.work.size()); ++i) {
    const WorkTime& total = e.work[i];
    const WorkRate rate = RateOf(tree, total);
    const auto of_roof = OfRoof(rate, static_cast<double>(total.ns), *peaks);
    rows.push_back({base::Printable(total.name, 60), absl::StrCat(total.nodes.size()),
                    NsText(total.ns), ShareText(total.ns, e.whole_ns),
                    PerNanosecond(rate.flops, total.ns), PerNanosecond(rate.bytes, total.ns),
                    of_roof ? absl::StrFormat("%.1f %%", 100 * *of_roof) : "-"});
  }
  if (given.files.empty()) {
    for (std::vector<std::string>& row : rows) row.pop_back();
  }
  return processes::Print(absl::StrCat(
      devices, devices.empty() ? "" : "host      operators, as the processor ran them\n",
      SharesText(e), output::TextTable(rows, {0}),
      given.files.empty()
          ? "roof      a file of records of --peaks behind the trace adds the column\n"
          : ""));
}

}  // namespace assay::trace
