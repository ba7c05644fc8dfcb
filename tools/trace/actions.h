#ifndef ASSAY_TOOLS_TRACE_ACTIONS_H_
#define ASSAY_TOOLS_TRACE_ACTIONS_H_

// ---------------------------------------------------------------------------------------------
// actions.h: the actions of //tools/trace, what they get, and what they share.
//
// Example:
//   GivenTraces given = {.paths = {"et.json"}, .traces = {...}};
//   absl::StatusOr<int> exit_code = Stats(given);
// ---------------------------------------------------------------------------------------------

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/traces/analysis/explanation.h"
#include "benchmarks/traces/graph/trace_tree.h"
#include "benchmarks/traces/reader/trace_file.h"

namespace assay::trace {

struct TraceFlags {
  bool detail = false, json = false, gate = false;
  int node = -1;
  int top = 0;  // 0: all, or as many as fit on a page
  std::string subgraph, to, out, join;
  int rank = -1;
};

struct GivenTraces {
  TraceFlags flags;
  std::vector<std::string> paths = {};     // of the traces
  std::vector<traces::Trace> traces = {};  // as many
  std::vector<std::string> files = {};     // that stand behind the traces
};

// The first node of this name; kNoNode for no name. InvalidArgument where there is none.
absl::StatusOr<size_t> NodeNamed(const traces::TraceTree& tree, const std::string& name);

// How many rows a table has.
size_t RowsOf(const TraceFlags& flags, size_t usual = 20);

// "12.3 %"; "-" of nothing.
std::string ShareText(int64_t part, int64_t whole);

// "12.3 us"; "0 us".
std::string NsText(int64_t ns);

// A whole file of JSON. Bytes that are no UTF-8 become U+FFFD.
template <typename Json>
std::string JsonFileText(const Json& json, int indent = 1) {
  return json.dump(indent, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace) + "\n";
}

// "3 calls", "1 call".
std::string CountText(size_t count, std::string_view what);

// Writes a file whole or not at all; makes its folder.
absl::Status WriteText(const std::string& path, std::string_view text);

// Operations and bytes of all calls; 0: not known.
struct WorkRate {
  double flops = 0, bytes = 0;
};
WorkRate RateOf(const traces::TraceTree& tree, const traces::WorkTime& total);

// Actions. Each returns the exit code; trace.cc has their flags and what they are for.
absl::StatusOr<int> Stats(GivenTraces& given);
absl::StatusOr<int> Validate(GivenTraces& given);  // kProductWrong where something is an error
absl::StatusOr<int> List(GivenTraces& given);
absl::StatusOr<int> Tree(GivenTraces& given);
absl::StatusOr<int> Node(GivenTraces& given);
absl::StatusOr<int> Tensors(GivenTraces& given);
absl::StatusOr<int> Graph(GivenTraces& given);
absl::StatusOr<int> ExplainTrace(GivenTraces& given);
// With --gate kProductWrong where an operator differs; times alone are no difference.
absl::StatusOr<int> CompareTraces(GivenTraces& given);
absl::StatusOr<int> CleanTrace(GivenTraces& given);
absl::StatusOr<int> AnonymiseTrace(GivenTraces& given);

// The operators are those that a replay calls (replay_plan.h), so that each value that one of them reads
// is another one's result.
absl::StatusOr<int> Convert(GivenTraces& given);
absl::StatusOr<int> PredictTime(GivenTraces& given);

// A trace as a run of the harness, with a verdict, times and a record. `argv[1]` is "replay", or the first
// of et_replay's flags. Ends the process.
[[noreturn]] void RunReplay(int argc, char** argv);

}  // namespace assay::trace

#endif  // ASSAY_TOOLS_TRACE_ACTIONS_H_
