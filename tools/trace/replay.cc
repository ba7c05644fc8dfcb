#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "benchmarks/harness/base/exit_code.h"
#include "benchmarks/harness/base/flag_rules.h"
#include "benchmarks/harness/base/flags.h"
#include "benchmarks/harness/base/steady_time.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/base/working_folder.h"
#include "benchmarks/harness/configuration/case_flags.h"
#include "benchmarks/harness/numerics/reference.h"
#include "benchmarks/harness/programs/graph_program.h"
#include "benchmarks/harness/runner/benchmark_program.h"
#include "benchmarks/harness/runner/command_line.h"
#include "benchmarks/harness/runner/given/given_files.h"
#include "benchmarks/harness/runner/settings.h"
#include "benchmarks/harness/runner/verdict/operator_truth.h"
#include "benchmarks/harness/runner/verdict/run_status.h"
#include "benchmarks/harness/text/untrusted_text.h"
#include "benchmarks/operators/kernel/loaded_operators.h"
#include "benchmarks/traces/analysis/explanation.h"
#include "benchmarks/traces/graph/storages.h"
#include "benchmarks/traces/graph/trace_tree.h"
#include "benchmarks/traces/reader/trace_file.h"
#include "benchmarks/traces/replay/checked_replay.h"
#include "benchmarks/traces/replay/replay_plan.h"
#include "benchmarks/traces/replay/replay_times.h"
#include "benchmarks/traces/replay/saved_values.h"
#include "benchmarks/traces/replay/trace_graph.h"
#include "benchmarks/traces/replay/trace_program.h"
#include "benchmarks/traces/replay/value_check.h"
#include "tools/trace/actions.h"
#include "tools/trace/et_replay_flags.h"
#include "tools/trace/trace_case.h"

namespace assay::trace {
namespace {

constexpr char kReplayUsage[] =
    R"(Replays an execution trace on the CPU and measures the replay. Every result's shape, dtype and strides must be the
trace's. A capture of this suite with --trace-values is replayed with its values, and each result is compared with its
recorded digest: the verdict is PASS. For other traces the values are seeded, and the verdict is NOT_VERIFIED.

  tools/bazel run //tools/trace -- replay FILE [--step=N]

  --step=N|NAME|all  the ProfilerStep that is replayed; default: the first one, or all where there is none
  --subgraph=NAME    only what the first node of this name calls, in place of a step
  --rank=N           the trace of rank N of an archive or a folder
  --mode=full|comp   comp leaves collectives out without a word; full names them as lost
  --replay-config=FILE  JSON as et_replay's: {"skip nodes": ["DataLoader"]}, parts of the names of nodes
  --load-library=FILE   a library that registers custom operators (TORCH_LIBRARY)

The flags of a case follow, but a trace refuses --batch, --weights, --inputs, --lowering, --autocast, --backend,
--memory-format, --locate, --device=cuda.

)";

struct ReplayFlags {
  std::string input, subgraph, step, mode = "full", config, library;
  int rank = -1;
};

// Flags of cases that a trace leaves nothing to.
const std::vector<base::FlagRule>& RulesOfTraces() {
  const auto refused = [](std::vector<std::string> flags, std::string_view why) {
    return base::FlagRule{.flags = std::move(flags),
                          .excludes = {"replay"},
                          .why = absl::StrCat("not with $: ", why)};
  };
  static const auto& rules = *new std::vector<base::FlagRule>{
      refused({"batch", "dynamic-batch", "vary"}, "the trace has its own shapes"),
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

// The node whose calls are replayed: that of --subgraph or --step.
absl::StatusOr<size_t> ChosenNode(const traces::TraceTree& tree, const ReplayFlags& flags) {
  constexpr std::string_view kStep = "ProfilerStep#";
  if (flags.step == "all") return traces::kNoNode;
  const bool number =
      !flags.step.empty() && flags.step.find_first_not_of("0123456789") == std::string::npos;
  std::string wanted = number ? absl::StrCat(kStep, flags.step) : flags.step;
  if (!flags.subgraph.empty()) wanted = flags.subgraph;
  std::vector<std::string> steps;
  for (const size_t node : tree.order) {
    const std::string& name = tree.nodes.CallOf(node).name;
    const bool step = absl::StartsWith(name, kStep);
    if (wanted.empty() ? step : name == wanted) return node;
    if (step) steps.push_back(name);
  }
  if (wanted.empty()) return traces::kNoNode;
  return absl::InvalidArgumentError(absl::StrCat(
      flags.subgraph.empty() ? "--step=" : "--subgraph=", wanted,
      ": no node of the trace has that name",
      steps.empty() ? "" : absl::StrCat("; its steps are ", absl::StrJoin(steps, ", "))));
}

// "_rank1_ProfilerStep#6": what was chosen of the file.
std::string PartOf(const ReplayFlags& flags) {
  const std::string& chosen = flags.subgraph.empty() ? flags.step : flags.subgraph;
  return absl::StrCat(flags.rank >= 0 ? absl::StrCat("_rank", flags.rank) : "",
                      chosen.empty() ? "" : "_", chosen);
}

absl::StatusOr<traces::LeftOut> LeftOutBy(const ReplayFlags& flags) {
  traces::LeftOut left_out;
  if (flags.mode == "comm") {
    return absl::InvalidArgumentError(
        "--mode=comm: collectives need the other ranks, which one trace does not have; "
        "--mode=comp replays all else");
  }
  if (flags.mode == "comp") {
    for (const char* name : {"record_param_comms", "c10d::", "nccl:"})
      left_out[name] = "a collective, left out by --mode=comp";
  }
  if (flags.config.empty()) return left_out;
  const absl::StatusOr<std::set<std::string>> skipped = ReadReplayConfig(flags.config);
  if (!skipped.ok()) return skipped.status();
  for (const std::string& name : *skipped) left_out[name] = "left out by --replay-config";
  return left_out;
}

// The shortest of up to five calls, or of a second.
absl::StatusOr<absl::Duration> ShortestCall(traces::TraceProgram& program) {
  absl::Duration shortest = absl::InfiniteDuration();
  const absl::Status called = base::CatchTorch("the replay", [&] {
    const c10::InferenceMode inference;
    const absl::Duration until = base::SteadyNow() + absl::Seconds(1);
    program.Begin(execution::kReplay, {});
    for (int i = 0; i < 5 && (i == 0 || base::SteadyNow() < until); ++i) {
      program.Prepare(execution::kReplay, {});
      const absl::Duration start = base::SteadyNow();
      program.Call(execution::kReplay, {});
      shortest = std::min(shortest, base::SteadyNow() - start);
    }
    program.Reset();
  });
  if (!called.ok()) return called;
  return shortest;
}

// No values where their file isn't there.
absl::StatusOr<traces::SavedValues> SavedOrNone(const std::string& path,
                                                const traces::Trace& trace) {
  absl::StatusOr<traces::SavedValues> saved = traces::ReadSavedValues(path, trace);
  if (!absl::IsNotFound(saved.status())) return saved;
  std::cerr << "values    " << saved.status().message() << "\n";
  return traces::SavedValues{.exact = trace.about.exact};
}

// Replays with the saved values. What it returns is what the verdict and the timed calls are compared
// with, to the bit. An error where a result is wrong.
absl::StatusOr<runner::GivenReference> Compared(const traces::TraceTree& tree,
                                                const traces::TraceGraph& graph,
                                                const ResolvedCase& c, TraceReplay& facts) {
  traces::ValueCheck check;
  const absl::Status called =
      base::CatchTorch("the replay", [&] { check = traces::CheckValues(tree, graph); });
  if (!called.ok()) return called;
  std::cerr << ValuesText(check);
  facts.set_equal_results(check.counts.equal);
  facts.set_near_results(check.counts.near);
  if (!check.differences.empty()) {
    return runner::Ended(FAIL_ACCURACY, absl::StrCat(check.differences.size(),
                                                     " results of the replay have other values "
                                                     "than in the trace"));
  }
  absl::StatusOr<numerics::ReferenceOutputs> outputs =
      runner::TruthOf("the replay", c.verified().outputs(), check.outputs);
  if (!outputs.ok()) return outputs.status();
  runner::GivenReference reference = {.artifact = {}, .outputs = *std::move(outputs)};
  reference.artifact.set_provenance(ProvenanceText(check));
  reference.outputs.metadata["provenance"] = reference.artifact.provenance();
  return reference;
}

// Adds where the time of the replayed part went, as `explain` has it.
void AddExplanation(const traces::TraceTree& tree, size_t under, TraceReplay& facts) {
  constexpr size_t kMostWork = 15;
  const traces::Explanation e = traces::Explain(tree, {.under = under});
  facts.set_busy_ns(e.busy_ns);
  facts.set_overlap_ns(e.overlap_ns);
  facts.set_dispatch_ns(e.dispatch_ns);
  facts.set_short_ns(e.short_ns);
  facts.set_short_calls(static_cast<int64_t>(e.short_calls));
  for (size_t i = 0; i < std::min(kMostWork, e.work.size()); ++i) {
    const WorkRate rate = RateOf(tree, e.work[i]);
    TraceWork& work = *facts.add_work();
    work.set_name(base::Printable(e.work[i].name, 80));
    work.set_calls(static_cast<int64_t>(e.work[i].nodes.size()));
    work.set_ns(e.work[i].ns);
    work.set_flops(rate.flops);
    work.set_bytes(rate.bytes);
  }
}

absl::StatusOr<runner::OpenedCase> OpenReplay(const ReplayFlags& flags,
                                              const runner::CommandLine& line,
                                              runner::Settings& settings) {
  if (flags.input.empty()) return absl::InvalidArgumentError("replay FILE: the trace; see --help");
  base::GivenFlags given = line.values;
  given["replay"] = "given";
  absl::Status status = base::CheckFlagRules(RulesOfTraces(), given);
  if (status.ok()) status = base::EnterWorkingFolder();
  if (!status.ok()) return status;
  const absl::StatusOr<traces::Trace> trace = traces::LoadTrace(flags.input, flags.rank);
  if (absl::IsNotFound(trace.status()))
    return runner::Ended(ARTIFACT_UNAVAILABLE, trace.status().message());
  if (!trace.ok()) return trace.status();
  if (trace->about.format == traces::TraceFormat::kKineto) {
    return absl::InvalidArgumentError(absl::StrCat(
        flags.input,
        ": a trace of torch.profiler says neither which results an operator reads nor what "
        "it returns, so it cannot be replayed. //tools/trace -- convert makes "
        "micro-benchmarks of its operators"));
  }
  const traces::TraceTree tree(trace->nodes);
  const absl::StatusOr<size_t> under = ChosenNode(tree, flags);
  if (!under.ok()) return under.status();
  absl::StatusOr<traces::LeftOut> left_out = LeftOutBy(flags);
  if (!left_out.ok()) return left_out.status();
  if (!flags.library.empty()) {
    const absl::Status loaded =
        override::LoadOperators(std::filesystem::absolute(flags.library)).status();
    if (!loaded.ok())
      return absl::InvalidArgumentError(absl::StrCat("--load-library: ", loaded.message()));
  }
  const absl::StatusOr<traces::SavedValues> saved = SavedOrNone(flags.input, *trace);
  if (!saved.ok()) return saved.status();
  const traces::ReplayOptions options = {
      .saved = &*saved, .under = *under, .left_out = *std::move(left_out)};
  absl::StatusOr<traces::CheckedReplay> checked =
      traces::CheckReplay(tree, traces::FindStorages(tree), options);
  if (absl::IsFailedPrecondition(checked.status()))
    return absl::InvalidArgumentError(absl::StrCat(flags.input, ": ", checked.status().message()));
  if (!checked.ok()) return checked.status();
  if (!trace->about.torn.empty()) std::cerr << "torn      " << trace->about.torn << "\n";
  const traces::ReplayTimes times = traces::TimesOf(tree, checked->plan, *under);
  settings.trace_replay = FactsOf(tree, *checked, times);
  std::cerr << ReplayText(settings.trace_replay, *checked);
  if (!checked->differences.empty()) {
    return runner::Ended(FAIL_SHAPE, absl::StrCat(checked->differences.size(),
                                                  " results of the replay differ from the trace"));
  }
  runner::OpenedCase opened;
  auto program =
      std::make_unique<traces::TraceProgram>(checked->graph.graph, checked->graph.random);
  opened.resolved =
      CaseOfTrace(flags.input, PartOf(flags), checked->graph, program->NeedsPreparing());
  if (settings.threads > 0) at::set_num_threads(settings.threads);  // others give other bits
  if (saved->digests && checked->graph.seeded == 0) {
    absl::StatusOr<runner::GivenReference> reference =
        Compared(tree, checked->graph, opened.resolved, settings.trace_replay);
    if (!reference.ok()) return reference.status();
    opened.reference = *std::move(reference);
    program->Reset();
  }
  if (times.known) {
    const absl::StatusOr<absl::Duration> replay = ShortestCall(*program);
    if (!replay.ok()) return replay.status();
    std::cerr << TimesText(times, *replay);
    AddExplanation(tree, *under, settings.trace_replay);
  }
  opened.program = std::move(program);
  settings.given.model = flags.input;
  settings.given.reference = configuration::ValueOf(line.values, "reference");
  return opened;
}

}  // namespace

void RunReplay(int argc, char** argv) {
  std::vector<std::string> given(argv + 1, argv + argc);
  // "replay FILE" is --input=FILE, as PARAM's et_replay has it.
  if (!given.empty() && given[0] == "replay") given.erase(given.begin());
  if (!given.empty() && !given[0].empty() && given[0][0] != '-') given[0] = "--input=" + given[0];
  absl::StatusOr<TranslatedWords> translated = TranslateEtReplay(given);
  if (!translated.ok()) {
    std::exit(base::Fail("trace", translated.status().message(), base::kUsageError));
  }
  for (const std::string& note : translated->notes) std::cerr << "note      " << note << "\n";
  std::vector<char*> words = {argv[0]};
  for (std::string& word : translated->words) words.push_back(word.data());
  ReplayFlags flags;
  const base::FlagTable table = {{"input", base::TextFlag(flags.input)},
                                 {"subgraph", base::TextFlag(flags.subgraph)},
                                 {"rank", base::WholeNumberFlag(flags.rank, 0, 1 << 30)},
                                 {"step", base::TextFlag(flags.step)},
                                 {"mode", base::ChoiceFlag(flags.mode, {"full", "comp", "comm"})},
                                 {"replay_config", base::TextFlag(flags.config)},
                                 {"load_library", base::TextFlag(flags.library)}};
  runner::RunProgram(static_cast<int>(words.size()), words.data(),
                     {.flags = table,
                      .usage = absl::StrCat(kReplayUsage, EtReplayUsage(), "\n"),
                      .refused = {"batch", "backend", "device", "weights"},
                      .open = [&flags](const auto& line, auto& settings) {
                        return OpenReplay(flags, line, settings);
                      }});
}

}  // namespace assay::trace
