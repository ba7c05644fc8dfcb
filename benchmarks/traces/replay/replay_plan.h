#ifndef ASSAY_BENCHMARKS_TRACES_REPLAY_REPLAY_PLAN_H_
#define ASSAY_BENCHMARKS_TRACES_REPLAY_REPLAY_PLAN_H_

// ---------------------------------------------------------------------------------------------
// replay_plan.h: which operators of a trace a replay calls, and why it cannot call the others.
//
// An operator is called whole where nobody reads what was made inside it. Else the operators that it
// calls are called in its place: in training, a backward pass reads a dropout's mask, which the
// dropout does not return. An operator that cannot be called is replaced by those that it calls, too;
// where there are none, it is lost.
//
// Example:
//   const ReplayPlan plan = PlanReplay(tree, storages, /*refused=*/{{17, "no kernel for the CPU"}});
//   for (size_t node : plan.calls) ...
// ---------------------------------------------------------------------------------------------

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "benchmarks/traces/graph/storages.h"
#include "benchmarks/traces/graph/trace_tree.h"

namespace assay::traces {

struct ReplayPlan {
  std::vector<size_t> calls = {};           // nodes, in order
  std::map<size_t, std::string> lost = {};  // nodes with their reasons
  size_t operators = 0, covered = 0;  // of the trace's operators, those inside others included
};

// Parts of the names of nodes that are left out, with all that they call, and the reasons.
using LeftOut = std::map<std::string, std::string>;

// `refused`: operators that cannot be called, with the reasons. `under`: only what this node calls;
// kNoNode: all.
ReplayPlan PlanReplay(const TraceTree& tree, const Storages& storages,
                      const std::map<size_t, std::string>& refused, size_t under = kNoNode,
                      const LeftOut& left_out = {});

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_REPLAY_REPLAY_PLAN_H_
