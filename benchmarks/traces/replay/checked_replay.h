#ifndef ASSAY_BENCHMARKS_TRACES_REPLAY_CHECKED_REPLAY_H_
#define ASSAY_BENCHMARKS_TRACES_REPLAY_CHECKED_REPLAY_H_

// ---------------------------------------------------------------------------------------------
// checked_replay.h: replays a trace once, call by call, and compares shape, dtype and strides of each
// result with the trace's, and whether it lies in an argument's memory. What does not run is named,
// and the replay is planned again without it.
//
// The first replay is made in copies of this process (fork), on one thread: an operator may end a
// process where its arguments' values are not those that it was written for.
//
// Not for: values (value_check.h).
//
// Example:
//   absl::StatusOr<CheckedReplay> checked = CheckReplay(tree, storages, {.seed = 0});
//   if (!checked->differences.empty()) return 1;
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "benchmarks/traces/graph/storages.h"
#include "benchmarks/traces/graph/trace_tree.h"
#include "benchmarks/traces/replay/replay_plan.h"
#include "benchmarks/traces/replay/saved_values.h"
#include "benchmarks/traces/replay/trace_graph.h"

namespace assay::traces {

struct ReplayOptions {
  uint64_t seed = 0;
  const SavedValues* saved = nullptr;  // null: none
  size_t under = kNoNode;              // only what this node calls
  LeftOut left_out = {};
  absl::Duration most = absl::Seconds(60);  // of one call
};

struct CheckedReplay {
  ReplayPlan plan = {};
  TraceGraph graph = {};  // of all that runs
  std::vector<std::string> differences = {};
};

// Errors of BuildGraph(); FailedPrecondition where no operator can be replayed.
absl::StatusOr<CheckedReplay> CheckReplay(const TraceTree& tree, const Storages& storages,
                                          const ReplayOptions& options);

struct GraphRun {
  std::map<size_t, std::string> refused = {};  // the first call that threw
  std::vector<std::string> differences = {};
};

// One replay of a graph in this process. `begin` is called with each call's node. It leaves in the
// graph's constants what calls wrote there.
GraphRun RunChecked(const TraceTree& tree, const TraceGraph& graph,
                    const std::function<void(size_t node)>& begin);

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_REPLAY_CHECKED_REPLAY_H_
