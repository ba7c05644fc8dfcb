// Shows, checks and replays execution traces.
#include <algorithm>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/exit_code.h"
#include "benchmarks/harness/base/flags.h"
#include "benchmarks/harness/base/working_folder.h"
#include "benchmarks/harness/processes/program_main.h"
#include "benchmarks/traces/graph/trace_tree.h"
#include "benchmarks/traces/reader/trace_file.h"
#include "tools/trace/replay.h"
#include "tools/trace/show.h"

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
  // PARAM's et_replay is called without an action.
  const bool flag = action.rfind("--input", 0) == 0 || action.rfind("--trace-path", 0) == 0;
  if (action == "replay" || flag) assay::trace::RunReplay(argc, argv);
  return assay::processes::ProgramMain(argc, argv, {.name = "trace", .run = assay::trace::Main});
}
