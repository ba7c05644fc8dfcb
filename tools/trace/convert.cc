#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/types/span.h"
#include "benchmarks/harness/output/output.h"
#include "benchmarks/harness/processes/program_main.h"
#include "benchmarks/harness/record/headline.h"
#include "benchmarks/harness/record/record_file.h"
#include "benchmarks/harness/statistics/describe/quantile.h"
#include "benchmarks/harness/text/untrusted_text.h"
#include "benchmarks/traces/analysis/case_table.h"
#include "benchmarks/traces/analysis/operator_mix.h"
#include "benchmarks/traces/analysis/param_json.h"
#include "benchmarks/traces/graph/storages.h"
#include "benchmarks/traces/graph/validation.h"
#include "benchmarks/traces/replay/replay_plan.h"
#include "benchmarks/traces/replay/seeded_storage.h"
#include "benchmarks/traces/replay/traced_call.h"
#include "nlohmann/json.hpp"
#include "tools/trace/actions.h"
#include "tools/trace/trace_formats.h"

namespace assay::trace {
namespace {

using Json = nlohmann::ordered_json;
using traces::TraceNode;
using traces::TraceTree;

// The different calls of a trace, and what those that are alike need.
struct Calls {
  explicit Calls(const traces::Trace& trace) : tree(trace.nodes), storages(FindStorages(tree)) {}

  const TraceTree tree;
  const traces::Storages storages;
  traces::ReplayPlan plan;
  traces::OperatorMix mix;
  std::map<int, traces::SeededValues> needed;

  TraceNode NodeOf(size_t rank) const { return tree.nodes[mix.operators[rank].nodes[0]]; }
  traces::NeededContents ContentsOf(size_t rank) const {
    traces::NeededContents contents;
    const absl::Span<const int> inputs = storages.inputs[mix.operators[rank].nodes[0]];
    for (size_t place = 0; place < inputs.size(); ++place) {
      const auto found = needed.find(inputs[place]);
      if (found == needed.end()) continue;
      contents[place].positive = found->second.positive;
      if (found->second.indexes) contents[place].limit = found->second.limit;
    }
    return contents;
  }
  // " 12 calls, 3.4 % of the operators' time".
  std::string WeightText(size_t rank) const {
    const traces::MixedOperator& one = mix.operators[rank];
    return absl::StrCat(CountText(one.nodes.size(), "call"),
                        mix.timed > 0
                            ? absl::StrCat(", ", ShareText(one.recorded_ns, mix.operators_ns),
                                           " of the operators' time")
                            : "");
  }
};

// Plans as a replay does, without calling anything.
absl::StatusOr<std::unique_ptr<Calls>> CallsOf(const GivenTraces& given) {
  auto calls = std::make_unique<Calls>(given.traces[0]);
  const absl::StatusOr<size_t> under = NodeNamed(calls->tree, given.flags.subgraph);
  if (!under.ok()) return under.status();
  std::map<size_t, std::string> refused;
  for (size_t before = 1; before != refused.size();) {
    before = refused.size();
    calls->plan = traces::PlanReplay(calls->tree, calls->storages, refused, *under);
    std::vector<std::optional<absl::Status>> bound(calls->tree.nodes.Calls());
    for (const size_t call : calls->plan.calls) {
      std::optional<absl::Status>& of = bound[calls->tree.nodes.CallNumber(call)];
      if (!of) of = traces::BindTraced(calls->tree.nodes[call], /*has_results=*/false).status();
      if (!of->ok()) refused[call] = std::string(of->message());
    }
  }
  std::vector<size_t> chosen = calls->plan.calls;
  if (given.flags.detail) chosen = traces::WorkersOf(calls->tree, chosen);
  calls->needed = traces::NeededValues(calls->tree, calls->storages, chosen);
  calls->mix = traces::MixOf(calls->tree, chosen);
  if (calls->mix.operators.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        given.paths[0], ": no operator of the trace can be called here",
        refused.empty()
            ? ""
            : absl::StrCat("; ", traces::NodeText(calls->tree.nodes[refused.begin()->first]), ": ",
                           base::Printable(refused.begin()->second, 400))));
  }
  return calls;
}

// Operators that were not converted, by reason, with the weight of each.
struct Refusals {
  std::map<std::pair<std::string, std::string>, std::pair<size_t, int64_t>> all;
  int64_t ns = 0;
  size_t calls = 0, mixed = 0;  // mixed: of the mix's operators

  void Add(const std::string& name, std::string_view reason, size_t count, int64_t recorded_ns) {
    auto& [of_calls, of_ns] = all[{name, std::string(reason)}];
    of_calls += count;
    of_ns += recorded_ns;
    calls += count;
    ns += recorded_ns;
  }
};

std::string RefusalsText(const Refusals& refusals, int64_t whole) {
  std::string text;
  for (const auto& [loss, weight] : refusals.all) {
    absl::StrAppend(&text, "left out  ", base::Printable(loss.first, 80), " (",
                    CountText(weight.first, "call"),
                    whole > 0 ? absl::StrCat(", ", ShareText(weight.second, whole)) : "",
                    "): ", base::Printable(loss.second, 400), "\n");
  }
  return text;
}

std::string MixText(const Calls& calls, size_t rows) {
  const traces::OperatorMix& mix = calls.mix;
  std::vector<std::vector<std::string>> table = {{"Operator", "Calls", "Time of one", "Share"}};
  for (size_t rank = 0; rank < std::min(rows, mix.operators.size()); ++rank) {
    const traces::MixedOperator& one = mix.operators[rank];
    const auto count = static_cast<double>(std::max<size_t>(one.timed, 1));
    table.push_back({base::Printable(traces::CallText(calls.NodeOf(rank)), 100),
                     absl::StrCat(one.nodes.size()),
                     output::TimeText(static_cast<double>(one.recorded_ns) / count),
                     mix.timed > 0 ? ShareText(one.recorded_ns, mix.operators_ns) : "-"});
  }
  return output::TextTable(table, {0});
}

// Adds each operator to a file by `add`, and names those that cannot be.
Refusals AddAll(const Calls& calls, size_t most,
                const std::function<absl::Status(size_t rank)>& add) {
  Refusals refusals;
  for (const auto& [node, reason] : calls.plan.lost) {
    refusals.Add(traces::OperatorName(calls.tree.nodes.CallOf(node)), reason, 1,
                 calls.tree.nodes.DurationNs(node));
  }
  for (size_t rank = 0; rank < calls.mix.operators.size(); ++rank) {
    const traces::MixedOperator& one = calls.mix.operators[rank];
    const absl::Status added = rank < most ? add(rank) : absl::OkStatus();
    if (rank < most && added.ok()) continue;
    ++refusals.mixed;
    refusals.Add(rank < most ? traces::OperatorName(calls.NodeOf(rank)) : "all others",
                 rank < most ? std::string(added.message()) : absl::StrCat("--top=", most),
                 one.nodes.size(), one.recorded_ns);
  }
  return refusals;
}

// Says so where only some calls have times: shares are of these.
std::string UntimedText(const traces::OperatorMix& mix) {
  if (mix.timed == 0 || mix.timed == mix.calls) return "";
  return absl::StrCat("times     only ", mix.timed, " of ", CountText(mix.calls, "call"),
                      " have a time in the trace; shares are of these\n");
}

std::string CoverageText(const Calls& calls, const Refusals& refusals) {
  size_t all = calls.plan.lost.size();
  int64_t ns = calls.mix.operators_ns;
  for (const traces::MixedOperator& one : calls.mix.operators) all += one.nodes.size();
  for (const auto& [node, reason] : calls.plan.lost) ns += calls.tree.nodes.DurationNs(node);
  return absl::StrCat("converted ", all - refusals.calls, " of ", CountText(all, "call"), ", as ",
                      CountText(calls.mix.operators.size() - refusals.mixed, "different call"),
                      calls.mix.timed > 0 ? absl::StrCat(": ", ShareText(ns - refusals.ns, ns),
                                                         " of the operators' recorded time")
                                          : "; the trace has no times",
                      "\n", UntimedText(calls.mix), RefusalsText(refusals, ns));
}

// Writes the package; does not touch one that somebody wrote by hand.
absl::Status WritePackage(const std::string& folder, const traces::CaseTable& table) {
  const std::string build = absl::StrCat(folder, "/BUILD.bazel");
  const std::string text = table.Build();
  std::ifstream there(build);
  std::string first;
  if (there && std::getline(there, first) && first != text.substr(0, text.find('\n'))) {
    return absl::InvalidArgumentError(
        absl::StrCat("--out=", folder, ": BUILD.bazel is there and was not made by convert"));
  }
  absl::Status written = WriteText(absl::StrCat(folder, "/operators.bzl"), table.Table());
  if (written.ok()) written = WriteText(build, text);
  return written;
}

// Nanoseconds of one call: by param's keys, or by names of cases.
using Times = std::unordered_map<std::string, double>;

absl::Status ReadTimes(const std::string& path, Times& times) {
  std::ifstream file(path);
  if (!file) return absl::NotFoundError(absl::StrCat(path, ": it cannot be read"));
  std::string line;
  bool param = false;
  while (std::getline(file, line)) {
    const Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object() || !json.contains("op_name") || !json.contains("config")) continue;
    param = true;
    constexpr double kMilliseconds = 1e6;
    const auto metric = json.find("metric");
    if (metric == json.end() || !metric->contains("forward")) continue;
    std::vector<double> measured;
    for (const Json& ms : (*metric)["forward"].value("measure.time", Json::array()))
      if (ms.is_number()) measured.push_back(ms.get<double>() * kMilliseconds);
    if (measured.empty()) continue;
    times[traces::ParamKey(json["op_name"].get<std::string>(), json["config"]["build"],
                           json["config"]["input"])] = statistics::MedianOf(std::move(measured));
  }
  if (param) return absl::OkStatus();
  const absl::StatusOr<record::RecordFile> records = record::ReadAll(path);
  if (!records.ok()) return records.status();
  for (const Record& record : records->records) {
    const Measurement* const headline = record::HeadlineMeasurement(record);
    if (headline != nullptr) times[record.benchmark_case().name()] = headline->median_ns();
  }
  return absl::OkStatus();
}

std::optional<double> TimeOf(const Calls& calls, size_t rank, const Times& times) {
  const TraceNode node = calls.NodeOf(rank);
  const absl::StatusOr<Json> arguments = traces::ParamArguments(node, calls.ContentsOf(rank));
  if (arguments.ok()) {
    const Json build = {{"args", {{{"type", "str"}, {"value", node.op_schema}}}}};
    const auto found = times.find(traces::ParamKey(node.name, build, Json{{"args", *arguments}}));
    if (found != times.end()) return found->second;
  }
  // A row of the table has one case for each dtype; convert writes one.
  const std::string row = traces::CaseRowName(node, rank + 1);
  for (const char* dtype : {"_fp32", "_bf16", "_fp16"}) {
    const auto found = times.find(row + dtype);
    if (found != times.end()) return found->second;
  }
  return std::nullopt;
}

std::string RatioText(double predicted, int64_t recorded) {
  if (recorded <= 0) return "-";
  return absl::StrFormat("%.3f", predicted / static_cast<double>(recorded));
}

}  // namespace

absl::StatusOr<int> Convert(GivenTraces& given) {
  const TraceFlags& flags = given.flags;
  constexpr std::string_view kForms[] = {"param", "cases", "et", "chakra"};
  if (std::find(std::begin(kForms), std::end(kForms), flags.to) == std::end(kForms)) {
    return absl::InvalidArgumentError(
        absl::StrCat("convert FILE: --to=", flags.to, ": it is param, cases, et or chakra"));
  }
  if (flags.out.empty())
    return absl::InvalidArgumentError(
        "convert FILE: --out is missing: a file, or a folder of cases");
  if (flags.to == "et" || flags.to == "chakra") {
    const absl::StatusOr<std::string> said = WriteFormat(given.traces[0], flags.to, flags.out);
    return said.ok() ? absl::StatusOr<int>(processes::Print(*said)) : said.status();
  }
  const absl::StatusOr<std::unique_ptr<Calls>> calls = CallsOf(given);
  if (!calls.ok()) return calls.status();
  const Calls& of = **calls;
  const size_t most = RowsOf(flags, of.mix.operators.size());
  traces::ParamFile param;
  traces::CaseTable table;
  const bool cases = flags.to == "cases";
  const Refusals refusals = AddAll(of, most, [&](size_t rank) {
    const TraceNode node = of.NodeOf(rank);
    return cases ? table.Add(node, traces::CaseRowName(node, rank + 1), of.ContentsOf(rank),
                             of.WeightText(rank))
                 : param.Add(node, of.mix.operators[rank], of.ContentsOf(rank));
  });
  if (cases && table.Empty())
    return absl::InvalidArgumentError(
        absl::StrCat("no operator can be a case\n", CoverageText(of, refusals)));
  const absl::Status written =
      cases ? WritePackage(flags.out, table) : WriteText(flags.out, param.Text());
  if (!written.ok()) return written;
  const std::string out =
      cases ? std::filesystem::path(flags.out).lexically_normal().string() : flags.out;
  return processes::Print(absl::StrCat(
      CoverageText(of, refusals), MixText(of, RowsOf(flags)), "wrote     ", out, "\nnext      ",
      !cases
          ? absl::StrCat("tools/bazel run //benchmarks/operators:param -- -c ", out,
                         " -w 5 -i 20; then //tools/trace -- predict ", given.paths[0], " RESULTS")
      : std::filesystem::path(out).is_absolute()
          ? "put it into this tree, such as benchmarks/NAME"
          : absl::StrCat("tools/bazel test //", out, ":operator_cases_test; tools/bazel run //",
                         out),
      "\n"));
}

absl::StatusOr<int> PredictTime(GivenTraces& given) {
  const absl::StatusOr<std::unique_ptr<Calls>> calls = CallsOf(given);
  if (!calls.ok()) return calls.status();
  const Calls& of = **calls;
  Times times;
  for (const std::string& file : given.files) {
    const absl::Status read = ReadTimes(file, times);
    if (!read.ok()) return read;
  }
  const traces::Prediction p =
      traces::Predict(of.mix, [&](size_t rank) { return TimeOf(of, rank, times); });
  if (p.operators.empty()) {
    return absl::InvalidArgumentError(
        "no result is of an operator of this trace; they come from a file that convert made of it");
  }
  const traces::OperatorMix& mix = of.mix;
  std::string text =
      absl::StrCat("predicted ", output::TimeText(p.predicted_ns), " for ", p.operators.size(),
                   " of ", CountText(mix.operators.size(), "different call"));
  if (mix.timed > 0) {
    absl::StrAppend(&text, "; the trace has ", NsText(p.covered_ns), " for them: ratio ",
                    RatioText(p.comparable_ns, p.covered_ns), "\nrecorded  ", NsText(mix.whole_ns),
                    " in all: ", NsText(p.covered_ns), " of operators that were measured, ",
                    NsText(p.unmeasured_ns), " of others, ",
                    NsText(mix.whole_ns - mix.operators_ns), " between operators\n",
                    UntimedText(mix));
  } else {
    absl::StrAppend(&text, "; the trace has no times to compare with\n");
  }
  constexpr size_t kMostNamed = 10;
  for (size_t i = 0; i < std::min(kMostNamed, p.unmeasured.size()); ++i) {
    const size_t rank = p.unmeasured[i];
    absl::StrAppend(&text, "no result ", base::Printable(traces::CallText(of.NodeOf(rank)), 100),
                    " (", of.WeightText(rank), ")\n");
  }
  if (p.unmeasured.size() > kMostNamed)
    absl::StrAppend(&text, "no result for ", p.unmeasured.size() - kMostNamed, " others\n");
  std::vector<std::vector<std::string>> table = {
      {"Operator", "Calls", "Recorded", "Predicted", "Ratio"}};
  const size_t most = RowsOf(given.flags);
  for (size_t i = 0; i < std::min(most, p.operators.size()); ++i) {
    const traces::PredictedOperator& one = p.operators[i];
    const traces::MixedOperator& recorded = mix.operators[one.rank];
    table.push_back({base::Printable(traces::CallText(of.NodeOf(one.rank)), 100),
                     absl::StrCat(recorded.nodes.size()),
                     output::TimeText(static_cast<double>(recorded.recorded_ns)),
                     output::TimeText(one.predicted_ns),
                     RatioText(one.comparable_ns, recorded.recorded_ns)});
  }
  return processes::Print(absl::StrCat(text, output::TextTable(table, {0})));
}

}  // namespace assay::trace
