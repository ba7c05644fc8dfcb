#include <atomic>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "benchmarks/harness/processes/child_process.h"
#include "benchmarks/harness/processes/program_main.h"
#include "benchmarks/harness/text/untrusted_text.h"
#include "benchmarks/traces/analysis/graph_text.h"
#include "benchmarks/traces/graph/storages.h"
#include "benchmarks/traces/graph/trace_tree.h"
#include "tools/trace/actions.h"

namespace assay::trace {
namespace {

// As et_replay has it: a larger picture takes minutes, and nobody can read it.
constexpr size_t kMostDrawn = 300;

absl::Status Draw(const std::string& dot, const std::string& out) {
  const std::string source = absl::StrCat(out, ".dot");
  absl::Status written = WriteText(source, dot);
  if (!written.ok()) return written;
  std::atomic<bool> interrupted = false;
  const absl::StatusOr<processes::ChildEnd> end = processes::RunChild(
      {.arguments = {"dot", "-Tsvg", "-o", out, source}, .timeout = absl::Minutes(5)},
      &interrupted);
  if (absl::IsNotFound(end.status())) {
    return absl::UnavailableError(absl::StrCat(
        "--out=", out,
        ": Graphviz's program dot draws it, and PATH has none: apt-get install graphviz, or draw ",
        source, ", which is there, elsewhere; --out=X.dot and --out=X.graphml need no program"));
  }
  if (!end.ok()) return end.status();
  if (end->Exited(0)) return absl::OkStatus();
  return absl::UnavailableError(
      absl::StrCat("dot could not draw ", source, ": ", base::Printable(end->errors, 400)));
}

absl::StatusOr<size_t> NodeOfId(const traces::TraceTree& tree, int64_t id) {
  if (id < 0) return traces::kNoNode;
  for (const size_t node : tree.order)
    if (tree.nodes.IdsOf(node).id == id && tree.IsOperator(node)) return node;
  return absl::InvalidArgumentError(
      absl::StrCat("--node=", id, ": no operator of the trace has this id"));
}

}  // namespace

absl::StatusOr<int> Graph(GivenTraces& given) {
  const TraceFlags& flags = given.flags;
  const traces::TraceTree tree(given.traces[0].nodes);
  const absl::StatusOr<size_t> under = NodeNamed(tree, flags.subgraph);
  if (!under.ok()) return under.status();
  const absl::StatusOr<size_t> around = NodeOfId(tree, flags.node);
  if (!around.ok()) return around.status();
  const traces::DataGraph graph =
      traces::GraphOf(tree, traces::FindStorages(tree),
                      {.detail = flags.detail, .under = *under, .around = *around});
  const std::string size = absl::StrCat(CountText(graph.nodes.size(), "operator"), ", ",
                                        CountText(graph.edges.size(), "edge"));
  absl::Status done;
  if (absl::EndsWith(flags.out, ".dot")) {
    done = WriteText(flags.out, traces::DotText(tree, graph));
  } else if (absl::EndsWith(flags.out, ".graphml")) {
    done = WriteText(flags.out, traces::GraphmlText(tree, graph));
  } else if (!absl::EndsWith(flags.out, ".svg")) {
    done = absl::InvalidArgumentError("graph FILE: --out=X.svg, X.dot or X.graphml");
  } else if (graph.nodes.size() > kMostDrawn) {
    done = absl::InvalidArgumentError(absl::StrCat(
        "--out=", flags.out, ": a picture has at most ", kMostDrawn, " operators, and these are ",
        graph.nodes.size(), "; --subgraph=NAME or --node=ID take a part, .graphml takes all"));
  } else {
    done = Draw(traces::DotText(tree, graph), flags.out);
  }
  if (!done.ok()) return done;
  return processes::Print(absl::StrCat("wrote     ", flags.out, ": ", size, "\n"));
}

}  // namespace assay::trace
