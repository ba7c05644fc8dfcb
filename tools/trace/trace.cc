// Shows, checks, converts and replays execution traces.
#include <algorithm>
#include <functional>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "benchmarks/harness/base/exit_code.h"
#include "benchmarks/harness/base/flags.h"
#include "benchmarks/harness/base/working_folder.h"
#include "benchmarks/harness/processes/program_main.h"
#include "benchmarks/traces/graph/trace_tree.h"
#include "benchmarks/traces/reader/trace_file.h"
#include "tools/trace/actions.h"
#include "tools/trace/trace_formats.h"

namespace assay::trace {
namespace {

struct Action {
  std::string_view name;
  size_t traces = 1;
  // Whether files of another kind stand behind the traces.
  enum { kNone, kMay, kMust } files = kNone;
  std::string_view flags = {};  // that it takes, separated by spaces
  std::string_view help = {};   // lines of the usage
  absl::StatusOr<int> (*run)(GivenTraces& given);
};

// In the order of use.
constexpr Action kActions[] = {
    {.name = "stats",
     .help = R"(  stats FILE      nodes, threads, tensors, devices
)",
     .run = Stats},
    {.name = "validate",
     .help =
         R"(  validate FILE   checks ids, order, cycles, sizes, and that no tensor is used before it is made; says what the trace has
                  lost. Exit code 1 if something is wrong
)",
     .run = Validate},
    {.name = "list",
     .flags = "detail json",
     .help =
         R"(  list FILE       operators by name, with counts and different arguments. --detail: also operators inside operators;
                  --json: in the form of PARAM's --list-op --json
)",
     .run = List},
    {.name = "tree",
     .flags = "detail",
     .help = R"(  tree FILE       who called whom. --detail: also inside operators
)",
     .run = Tree},
    {.name = "node",
     .flags = "node",
     .help = R"(  node FILE --node=ID   one node, and where its tensors come from and go
)",
     .run = Node},
    {.name = "tensors",
     .flags = "json top",
     .help =
         R"(  tensors FILE    each tensor: memory, shape, bytes, who made it, first and last use. --top=N: the N largest; --json
)",
     .run = Tensors},
    {.name = "graph",
     .flags = "out detail subgraph node",
     .help =
         R"(  graph FILE --out=X.svg   draws whose result goes to which operator; also as .dot or .graphml. .svg needs Graphviz,
                  and has at most 300 operators: --subgraph=NAME takes what a node calls, --node=ID an operator
                  and its neighbours
)",
     .run = Graph},
    {.name = "explain",
     .files = Action::kMay,
     .flags = "json top",
     .help =
         R"(  explain FILE [RECORDS...]   shows idle time, the overhead of calls, autograd's engine, and each operator's GFLOP/s and
                  GB/s. FILE must have times. If it has GPUs: what each GPU did, what launches cost, and the kernels.
                  With RECORDS of runs with --peaks: how near each operator comes to the machine's peaks. --top=N; --json
)",
     .run = ExplainTrace},
    {.name = "compare",
     .traces = 2,
     .flags = "json top gate",
     .help =
         R"(  compare A B     calls that appeared, vanished, or have other shapes, dtypes, strides or arguments, and how much each
                  changes the time. `diff A B` is the same. --json; --gate: exit code 1 if an operator differs
)",
     .run = CompareTraces},
    {.name = "convert",
     .flags = "to out detail top subgraph",
     .help =
         R"(  convert FILE --to=param --out=FILE.json     each different call once, with its count, for
                  //benchmarks/operators:param
  convert FILE --to=cases --out=benchmarks/NAME   the same as a package of cases. --top=N: the N that take the most
                  time; --detail: the operators that do the work; --subgraph=NAME: what the first node of this name calls
  convert FILE --to=et|chakra --out=FILE     the whole trace as an execution trace, or as Chakra's protocol buffers
)",
     .run = Convert},
    {.name = "predict",
     .files = Action::kMust,
     .flags = "detail top subgraph",
     .help =
         R"(  predict FILE RESULTS...   multiplies each operator's measured time by its number of calls, and shows the sum beside the
                  recorded time. RESULTS: files that param wrote, or records of the cases
)",
     .run = PredictTime},
    {.name = "clean",
     .flags = "out",
     .help =
         R"(  clean FILE --out=X.json       leaves out what a data loader did, and labels without an operator in them
)",
     .run = CleanTrace},
    {.name = "anonymise",
     .flags = "out",
     .help =
         R"(  anonymise FILE --out=X.json   keeps shapes, dtypes, strides, times and LibTorch's operators; leaves out names, texts,
                  values, processes and times of day
)",
     .run = AnonymiseTrace}};

std::string Names() {
  return absl::StrJoin(kActions, ", ",
                       [](std::string* out, const Action& action) { out->append(action.name); });
}

std::string Usage() {
  return absl::StrCat(
      R"(Shows, checks, converts and replays a trace: LibTorch's execution trace (schemas 1.0.1 to 1.1.1-chakra.0.0.4),
torch.profiler's trace, or Chakra's .et. FILE may be packed (.gz). It may also be a folder or an
archive (.tar, .tar.gz, .zip) with a trace of each rank, that is of each process of a distributed run.

  tools/bazel run //tools/trace -- stats FILE
  tools/bazel run //tools/trace -- replay FILE

)",
      absl::StrJoin(kActions, "",
                    [](std::string* out, const Action& action) { out->append(action.help); }),
      R"(  replay FILE     calls the operators on the CPU, compares each result's shape, dtype and strides with the trace, names
                  what cannot be called, and measures the replay like a case. `replay --help` explains all flags

With each action: --rank=N chooses a trace of an archive or a folder; --join=PROFILE takes the times from a trace of
torch.profiler of the same run.

)");
}

absl::Status CheckWords(const Action& action, const std::vector<std::string>& files,
                        const std::vector<std::string>& seen) {
  const std::vector<std::string_view> taken = absl::StrSplit(action.flags, ' ');
  for (const std::string& flag : seen) {
    if (flag.empty() || flag == "help" || flag == "join" || flag == "rank" ||
        std::find(taken.begin(), taken.end(), flag) != taken.end())
      continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "--", flag, ": not with ", action.name, "; ",
        action.flags.empty() ? "it takes --join and --rank alone"
                             : absl::StrCat("it takes --", absl::StrJoin(taken, ", --"))));
  }
  const size_t least = action.traces + (action.files == Action::kMust ? 1 : 0);
  if (files.size() == least || (action.files != Action::kNone && files.size() > least))
    return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(action.name, " takes ", action.files == Action::kNone ? "" : "at least ", least,
                   least == 1 ? " file" : " files", ", not ", files.size(), "; see --help"));
}

absl::StatusOr<int> Main(const std::vector<std::string>& words) {
  GivenTraces given;
  bool help = false;
  std::vector<std::string> names, seen;
  TraceFlags& flags = given.flags;
  const base::FlagTable table = {{"detail", base::SwitchFlag(flags.detail)},
                                 {"json", base::SwitchFlag(flags.json)},
                                 {"gate", base::SwitchFlag(flags.gate)},
                                 {"node", base::WholeNumberFlag(flags.node, 0, 1 << 30)},
                                 {"top", base::WholeNumberFlag(flags.top, 1, 1 << 30)},
                                 {"subgraph", base::TextFlag(flags.subgraph)},
                                 {"to", base::TextFlag(flags.to)},
                                 {"out", base::TextFlag(flags.out)},
                                 {"join", base::TextFlag(flags.join)},
                                 {"rank", base::WholeNumberFlag(flags.rank, 0, 1 << 30)},
                                 {"help", base::SwitchFlag(help)},
                                 {"", {.set = [&names](const std::string& word) {
                                    names.push_back(word);
                                    return absl::OkStatus();
                                  }}}};
  absl::Status status = base::ParseFlags(
      table, words, "",
      [&](const std::string& name, absl::Span<const std::string>) { seen.push_back(name); });
  if (!status.ok()) return status;
  if (help) return processes::Print(Usage());
  if (names.empty())
    return absl::InvalidArgumentError("needs an action and a file: stats FILE; see --help");
  if (names[0] == "diff") names[0] = "compare";
  const auto* const action = std::find_if(std::begin(kActions), std::end(kActions),
                                          [&](const Action& one) { return one.name == names[0]; });
  if (action == std::end(kActions)) {
    return absl::InvalidArgumentError(
        absl::StrCat("there is no action ", names[0], "; there are ", Names(),
                     " and replay, and a file stands behind them: stats FILE"));
  }
  names.erase(names.begin());
  status = CheckWords(*action, names, seen);
  if (status.ok()) status = base::EnterWorkingFolder();
  if (!status.ok()) return status;
  // Only what writes a whole trace needs recorded values.
  const bool values = action->name == "clean" || flags.to == "et" || flags.to == "chakra";
  for (size_t i = 0; i < names.size(); ++i) {
    if (i >= action->traces) {
      given.files.push_back(names[i]);
      continue;
    }
    absl::StatusOr<OpenedTrace> opened =
        OpenTrace(names[i], {.join = flags.join, .rank = flags.rank, .values = values});
    if (!opened.ok()) return opened.status();
    std::cerr << opened->said;
    given.paths.push_back(names[i]);
    given.traces.push_back(std::move(opened->trace));
  }
  return action->run(given);
}

}  // namespace
}  // namespace assay::trace

int main(int argc, char** argv) {
  const std::string_view action = argc < 2 ? "" : argv[1];
  // PARAM's et_replay is called without an action.
  const bool flag = action.rfind("--input", 0) == 0 || action.rfind("--trace-path", 0) == 0;
  if (action == "replay" || flag) assay::trace::RunReplay(argc, argv);
  return assay::processes::ProgramMain(argc, argv, {.name = "trace", .run = assay::trace::Main});
}
