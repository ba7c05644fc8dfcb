#include "benchmarks/traces/replay/checked_replay.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/ScalarTypeToTypeMeta.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/text/untrusted_text.h"
#include "benchmarks/traces/graph/validation.h"
#include "benchmarks/traces/replay/traced_call.h"

namespace assay::traces {
namespace {

// A stride of a dimension of one element says nothing.
bool SameStrides(const TraceTensor& want, const at::Tensor& got) {
  if (!want.has_strides || want.elements == 0) return true;
  for (size_t i = 0; i < want.sizes.size(); ++i) {
    if (want.sizes[i] != 1 && got.stride(static_cast<int64_t>(i)) != want.strides[i]) return false;
  }
  return true;
}

// "shape [2, 3], in the trace [3, 2]"; empty: as in the trace.
std::string DifferenceOf(const ExpectedTensor& want, const at::Tensor& got,
                         const at::Tensor& shares) {
  const TraceTensor& tensor = want.tensor;
  if (!got.defined()) return "is undefined";
  if (got.scalar_type() != *ScalarTypeOf(tensor.dtype)) {
    return absl::StrCat("has dtype ", c10::scalarTypeToTypeMeta(got.scalar_type()).name(),
                        ", in the trace ", tensor.dtype);
  }
  if (got.sizes() != at::IntArrayRef(tensor.sizes)) {
    return absl::StrCat("has shape ", c10::str(got.sizes()), ", in the trace ",
                        c10::str(at::IntArrayRef(tensor.sizes)));
  }
  if (!SameStrides(tensor, got)) {
    return absl::StrCat("has strides ", c10::str(got.strides()), ", in the trace ",
                        c10::str(at::IntArrayRef(tensor.strides)));
  }
  if (shares.defined() && !got.storage().is_alias_of(shares.storage()))
    return "lies in memory of its own, in the trace in an argument's";
  return "";
}

void Compare(const TraceTree& tree, const TraceGraph& graph, size_t call, const c10::Stack& results,
             const std::map<int, at::Tensor>& arguments, GraphRun& run) {
  for (const ExpectedTensor& want : graph.expected[call]) {
    const auto shares = arguments.find(want.shares);
    const std::string difference = DifferenceOf(
        want, ResultOf(results, want), shares == arguments.end() ? at::Tensor() : shares->second);
    if (!difference.empty()) {
      run.differences.push_back(
          absl::StrCat(ResultText(tree.nodes[graph.nodes[call]], want), " ", difference));
    }
  }
}

// Plans and builds until every call of the plan can be bound. `refused` grows.
absl::StatusOr<CheckedReplay> Built(const TraceTree& tree, const Storages& storages,
                                    const ReplayOptions& options,
                                    std::map<size_t, std::string>& refused) {
  while (true) {
    CheckedReplay made = {.plan =
                              PlanReplay(tree, storages, refused, options.under, options.left_out)};
    absl::StatusOr<TraceGraph> graph =
        BuildGraph(tree, storages, made.plan, {.seed = options.seed, .saved = options.saved});
    if (!graph.ok()) return graph.status();
    if (graph->refused.empty()) {
      made.graph = *std::move(graph);
      return made;
    }
    refused.insert(graph->refused.begin(), graph->refused.end());
  }
}

// A copy's lines: "R <node> <reason>", "D <difference>", and "." where it came to its end.
std::string Line(std::string_view text) {
  return absl::StrCat(absl::StrReplaceAll(text, {{"\n", " "}}), "\n");
}

// Replays in the copy until all that is left runs.
std::string Lines(const TraceTree& tree, const Storages& storages, const ReplayOptions& options,
                  std::map<size_t, std::string> refused, volatile size_t* at) {
  std::string lines;
  while (true) {
    const absl::StatusOr<CheckedReplay> made = Built(tree, storages, options, refused);
    if (!made.ok()) return absl::StrCat(lines, Line(absl::StrCat("E ", made.status().message())));
    const GraphRun run = RunChecked(tree, made->graph, [&](size_t node) {
      *at = node;
      alarm(static_cast<unsigned>(absl::ToInt64Seconds(options.most)));
    });
    if (run.refused.empty()) {
      for (const std::string& text : run.differences) absl::StrAppend(&lines, "D ", Line(text));
      return absl::StrCat(lines, ".\n");
    }
    for (const auto& [node, reason] : run.refused) {
      if (!refused.emplace(node, reason).second) return lines;  // it was taken out, and ran
      absl::StrAppend(&lines, Line(absl::StrCat("R ", node, " ", reason)));
    }
  }
}

class SharedPlace {
 public:
  SharedPlace()
      : place_(mmap(nullptr, sizeof(size_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                    0)) {}
  ~SharedPlace() {
    if (place_ != MAP_FAILED) munmap(place_, sizeof(size_t));
  }
  SharedPlace(const SharedPlace&) = delete;
  SharedPlace& operator=(const SharedPlace&) = delete;
  volatile size_t* get() const {
    return place_ == MAP_FAILED ? nullptr : static_cast<volatile size_t*>(place_);
  }

 private:
  void* place_;
};

struct CopyEnd {
  std::string lines = {};
  int status = 0;
};

absl::StatusOr<CopyEnd> RunCopy(const std::function<std::string()>& lines) {
  const int file = memfd_create("replay", MFD_CLOEXEC);
  const pid_t copy = file < 0 ? -1 : fork();
  if (copy < 0)
    return absl::UnavailableError(absl::StrCat("no copy of this process: ", strerror(errno)));
  if (copy == 0) {
    // An operator's own messages would stand among our lines.
    const int null = open("/dev/null", O_WRONLY);
    for (const int stream : {1, 2}) dup2(null, stream);
    // The threads of a pool that this process has started are not in its copy.
    at::set_num_threads(1);
    const std::string text = lines();
    _exit(write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : 1);
  }
  CopyEnd end;
  waitpid(copy, &end.status, 0);
  std::ifstream read(absl::StrCat("/proc/self/fd/", file));
  end.lines.assign(std::istreambuf_iterator<char>(read), {});
  close(file);
  return end;
}

std::string EndText(int status, absl::Duration most) {
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
    return absl::StrCat("it did not end within ", absl::FormatDuration(most));
  if (WIFSIGNALED(status))
    return absl::StrCat("it ended the process: ", strsignal(WTERMSIG(status)));
  return absl::StrCat("it ended the process with code ", WEXITSTATUS(status));
}

}  // namespace

GraphRun RunChecked(const TraceTree& tree, const TraceGraph& graph,
                    const std::function<void(size_t node)>& begin) {
  GraphRun run;
  const c10::InferenceMode inference;
  graph.random.Restore();
  execution::GraphReplay replay(graph.graph, {});
  for (size_t i = 0; i < graph.graph.calls.size(); ++i) {
    const execution::GraphCall& call = graph.graph.calls[i];
    begin(graph.nodes[i]);
    const absl::Status called = base::CatchTorch("a call", [&] {
      const std::map<int, at::Tensor> arguments = ArgumentsOf(call, replay);
      const c10::Stack results = replay.Make(call);
      Compare(tree, graph, i, results, arguments, run);
    });
    if (called.ok()) continue;
    const std::string_view text = called.message();
    run.refused[graph.nodes[i]] =
        absl::StrCat("it throws: ", base::Printable(text.substr(8, text.find('\n') - 8), 200));
    break;
  }
  return run;
}

absl::StatusOr<CheckedReplay> CheckReplay(const TraceTree& tree, const Storages& storages,
                                          const ReplayOptions& options) {
  const SharedPlace at;
  if (at.get() == nullptr) return absl::UnavailableError("no memory to share with a copy");
  std::map<size_t, std::string> refused;
  std::vector<std::string> differences;
  for (bool done = false; !done;) {
    *at.get() = kNoNode;
    const absl::StatusOr<CopyEnd> end =
        RunCopy([&] { return Lines(tree, storages, options, refused, at.get()); });
    if (!end.ok()) return end.status();
    differences.clear();
    for (std::string_view line : absl::StrSplit(end->lines, '\n', absl::SkipEmpty())) {
      const std::string_view rest = line.substr(std::min<size_t>(line.size(), 2));
      size_t node = 0;
      if (line == ".") done = true;
      if (line[0] == 'E') return absl::ResourceExhaustedError(rest);
      if (line[0] == 'D') differences.emplace_back(rest);
      if (line[0] == 'R' && absl::SimpleAtoi(rest.substr(0, rest.find(' ')), &node))
        refused.emplace(node, rest.substr(rest.find(' ') + 1));
    }
    if (done) break;
    const size_t last = *at.get();
    const std::string text = EndText(end->status, options.most);
    if (last == kNoNode || !refused.emplace(last, text).second)
      return absl::InternalError(absl::StrCat("the first replay: ", text));
  }
  absl::StatusOr<CheckedReplay> made = Built(tree, storages, options, refused);
  if (!made.ok()) return made.status();
  made->differences = std::move(differences);
  if (made->graph.outputs.empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat("no operator of the trace that returns a tensor can be replayed here",
                     made->plan.lost.empty()
                         ? ""
                         : absl::StrCat("; ", NodeText(tree.nodes[made->plan.lost.begin()->first]),
                                        ": ", made->plan.lost.begin()->second)));
  }
  return made;
}

}  // namespace assay::traces
