// Shows, checks and replays execution traces.
#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/exit_code.h"
#include "benchmarks/harness/base/flag_rules.h"
#include "benchmarks/harness/base/flags.h"
#include "benchmarks/harness/base/working_folder.h"
#include "benchmarks/harness/configuration/case_flags.h"
#include "benchmarks/harness/processes/program_main.h"
#include "benchmarks/harness/runner/benchmark_program.h"
#include "benchmarks/harness/runner/command_line.h"
#include "benchmarks/harness/runner/settings.h"
#include "benchmarks/harness/runner/verdict/run_status.h"
#include "benchmarks/traces/graph/storages.h"
#include "benchmarks/traces/graph/trace_tree.h"
#include "benchmarks/traces/reader/trace_file.h"
#include "benchmarks/traces/replay/checked_replay.h"
#include "benchmarks/traces/replay/trace_program.h"
#include "tools/trace/show.h"
#include "tools/trace/trace_case.h"

namespace assay::trace {
namespace {

constexpr char kUsage[] =
    R"(Shows, checks and replays an execution trace: what LibTorch's ExecutionTraceObserver writes, .json or .json.gz, of
schemas 1.0.1 to 1.1.1-chakra.0.0.4.

  tools/bazel run //tools/trace -- stats FILE
  tools/bazel run //tools/trace -- replay FILE

  list FILE       operators by name, with counts and different arguments. --detail: also operators inside operators;
                  --json: as PARAM's --list-op --json
  stats FILE      nodes, threads, tensors, devices
  validate FILE   ids, order, cycles, tensors used before they are made, impossible sizes; and what the trace lost.
                  Exit code 1 where something is wrong
  tree FILE       who called whom. --detail: also inside operators
  node FILE --node=ID   one node, and where its tensors come from and go
  replay FILE     calls the operators on the CPU, compares each result's shape, dtype and strides with the trace, names
                  what cannot be called, and measures the replay as a case is measured. --help after it has all flags

)";

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

struct Words {
  std::string action, file;
  ShowOptions show;
  int node = -1;
  bool help = false;
};

absl::StatusOr<int> Main(const std::vector<std::string>& words) {
  Words given;
  std::vector<std::string> names;
  const base::FlagTable flags = {{"detail", base::SwitchFlag(given.show.detail)},
                                 {"json", base::SwitchFlag(given.show.json)},
                                 {"node", base::WholeNumberFlag(given.node, 0, 1 << 30)},
                                 {"help", base::SwitchFlag(given.help)},
                                 {"", {.set = [&names](const std::string& word) {
                                    names.push_back(word);
                                    return absl::OkStatus();
                                  }}}};
  absl::Status status = base::ParseFlags(flags, words);
  if (!status.ok()) return status;
  if (given.help) return processes::Print(kUsage);
  if (names.size() != 2)
    return absl::InvalidArgumentError("needs an action and a file: stats FILE; see --help");
  status = base::EnterWorkingFolder();
  if (!status.ok()) return status;
  const std::string& action = names[0];
  constexpr std::string_view kActions[] = {"list", "stats", "validate", "tree", "node"};
  if (std::find(std::begin(kActions), std::end(kActions), action) == std::end(kActions)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "there is no action ", action, "; there are list, stats, validate, tree, node and replay"));
  }
  const absl::StatusOr<traces::Trace> trace = traces::LoadTrace(names[1]);
  if (!trace.ok()) return trace.status();
  const traces::TraceTree tree(trace->nodes);
  if (action == "list") return processes::Print(ListText(tree, given.show));
  if (action == "stats") return processes::Print(StatsText(*trace, tree));
  if (action == "tree") return processes::Print(TreeText(tree, given.show));
  if (action == "node") {
    const absl::StatusOr<std::string> text = NodeDetails(tree, given.node);
    if (!text.ok()) return absl::InvalidArgumentError(text.status().message());
    return processes::Print(*text);
  }
  bool errors = false;
  processes::Print(ValidationText(*trace, tree, errors));
  return errors ? base::kProductWrong : base::kRight;
}

}  // namespace
}  // namespace assay::trace

int main(int argc, char** argv) {
  const std::string_view action = argc < 2 ? "" : argv[1];
  if (action != "replay" && action.rfind("--input", 0) != 0)
    return assay::processes::ProgramMain(argc, argv, {.name = "trace", .run = assay::trace::Main});
  // "replay FILE" is --input=FILE, as PARAM's et_replay has it.
  assay::trace::ReplayFlags flags;
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
  assay::base::FlagTable table;
  table["input"] = assay::base::TextFlag(flags.input);
  table["subgraph"] = assay::base::TextFlag(flags.subgraph);
  assay::runner::RunProgram(static_cast<int>(words.size()), words.data(),
                            {.flags = table,
                             .usage = assay::trace::kReplayUsage,
                             .open = [&flags](const auto& line, auto& settings) {
                               return assay::trace::OpenTrace(flags, line, settings);
                             }});
}
