#include "tools/trace/replay.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/flag_rules.h"
#include "benchmarks/harness/base/flags.h"
#include "benchmarks/harness/base/working_folder.h"
#include "benchmarks/harness/configuration/case_flags.h"
#include "benchmarks/harness/runner/benchmark_program.h"
#include "benchmarks/harness/runner/command_line.h"
#include "benchmarks/harness/runner/settings.h"
#include "benchmarks/harness/runner/verdict/run_status.h"
#include "benchmarks/traces/graph/storages.h"
#include "benchmarks/traces/graph/trace_tree.h"
#include "benchmarks/traces/reader/trace_file.h"
#include "benchmarks/traces/replay/checked_replay.h"
#include "benchmarks/traces/replay/trace_program.h"
#include "tools/trace/trace_case.h"

namespace assay::trace {
namespace {

constexpr char kReplayUsage[] =
    R"(Replays an execution trace on the CPU and measures the replay. Every result's shape, dtype and strides must be the
trace's. Values are seeded, as a trace has none, so nothing else is verified.

  tools/bazel run //tools/trace -- replay FILE [--subgraph=NAME]

  --subgraph=NAME   only what the first node of this name calls, such as ProfilerStep#1

The flags of a case follow. Refused with a trace: --batch, --weights, --inputs, --lowering, --autocast, --backend,
--memory-format, --locate, --device=cuda.

)";

struct ReplayFlags {
  std::string input;
  std::string subgraph;
};

// Flags of cases that a trace leaves nothing to.
const std::vector<base::FlagRule>& RulesOfTraces() {
  const auto refused = [](std::vector<std::string> flags, std::string_view why) {
    return base::FlagRule{.flags = std::move(flags),
                          .excludes = {"replay"},
                          .why = absl::StrCat("not with $: ", why)};
  };
  static const auto& rules = *new std::vector<base::FlagRule>{
      refused({"batch", "dynamic-batch"}, "the trace has its own shapes"),
      refused({"weights", "inputs", "prompt-ids"}, "its tensors are seeded"),
      refused({"module", "backend"}, "its operators are called one by one"),
      refused({"lowering", "autocast", "memory-format"}, "the trace says how it computes"),
      refused({"mistake"}, "it is made in a program of C++"),
      refused({"locate"}, "it is of programs of C++"),
      refused(
          {"export-state", "export-reference", "export-module", "export-layers", "export-inputs"},
          "the program is the trace"),
      refused({"series"}, "it is of runners"),
      refused({"device=cuda"}, "traces are replayed on the CPU"),
      refused({"action=smoke"}, "the trace has one size"),
      refused({"check=mutants", "check=bitwise", "rule=dynamo_same*"},
              "it compares with another execution, which a trace has not")};
  return rules;
}

absl::StatusOr<size_t> NodeNamed(const traces::TraceTree& tree, const std::string& name) {
  if (name.empty()) return traces::kNoNode;
  for (const size_t node : tree.order) {
    if (tree.nodes[node].name == name) return node;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("--subgraph=", name, ": no node of the trace has that name"));
}

absl::StatusOr<runner::OpenedCase> OpenTrace(const ReplayFlags& flags,
                                             const runner::CommandLine& line,
                                             runner::Settings& settings) {
  if (flags.input.empty()) return absl::InvalidArgumentError("replay FILE: the trace; see --help");
  base::GivenFlags given = line.values;
  given["replay"] = "given";
  absl::Status status = base::CheckFlagRules(RulesOfTraces(), given);
  if (status.ok()) status = base::EnterWorkingFolder();
  if (!status.ok()) return status;
  const absl::StatusOr<traces::Trace> trace = traces::LoadTrace(flags.input);
  if (absl::IsNotFound(trace.status()))
    return runner::Ended(ARTIFACT_UNAVAILABLE, trace.status().message());
  if (!trace.ok()) return trace.status();
  const traces::TraceTree tree(trace->nodes);
  const absl::StatusOr<size_t> under = NodeNamed(tree, flags.subgraph);
  if (!under.ok()) return under.status();
  traces::ReplayOptions options = {.under = *under};
  absl::StatusOr<traces::CheckedReplay> checked =
      traces::CheckReplay(tree, traces::FindStorages(tree), options);
  if (absl::IsFailedPrecondition(checked.status()))
    return absl::InvalidArgumentError(absl::StrCat(flags.input, ": ", checked.status().message()));
  if (!checked.ok()) return checked.status();
  if (!trace->about.torn.empty()) std::cerr << "torn      " << trace->about.torn << "\n";
  std::cerr << ReplayText(tree, *checked);
  if (!checked->differences.empty()) {
    return runner::Ended(FAIL_SHAPE, absl::StrCat(checked->differences.size(),
                                                  " results of the replay differ from the trace"));
  }
  auto program = std::make_unique<traces::TraceProgram>(std::move(checked->graph.graph),
                                                        checked->graph.random, options.seed);
  settings.given.model = flags.input;
  settings.given.reference = configuration::ValueOf(line.values, "reference");
  return runner::OpenedCase{
      .resolved = CaseOfTrace(flags.input, checked->graph, program->NeedsPreparing()),
      .program = std::move(program)};
}

}  // namespace

void RunReplay(int argc, char** argv) {
  const std::string_view action = argv[1];
  // "replay FILE" is --input=FILE, as PARAM's et_replay has it.
  ReplayFlags flags;
  std::vector<char*> words = {argv[0]};
  std::string input;
  for (int i = action == "replay" ? 2 : 1; i < argc; ++i) {
    if (i == 2 && action == "replay" && argv[i][0] != '-') {
      input = absl::StrCat("--input=", argv[i]);
      words.push_back(input.data());
    } else {
      words.push_back(argv[i]);
    }
  }
  base::FlagTable table;
  table["input"] = base::TextFlag(flags.input);
  table["subgraph"] = base::TextFlag(flags.subgraph);
  runner::RunProgram(
      static_cast<int>(words.size()), words.data(),
      {.flags = table, .usage = kReplayUsage, .open = [&flags](const auto& line, auto& settings) {
         return OpenTrace(flags, line, settings);
       }});
}

}  // namespace assay::trace
