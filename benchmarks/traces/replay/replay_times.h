#ifndef ASSAY_BENCHMARKS_TRACES_REPLAY_REPLAY_TIMES_H_
#define ASSAY_BENCHMARKS_TRACES_REPLAY_REPLAY_TIMES_H_

// ---------------------------------------------------------------------------------------------
// replay_times.h: where the recorded time of a program went, and how much of it a replay makes again.
// Each nanosecond is counted once:
//
//   span         from the begin of the first operator or label to the end of the last
//     covered    operators that the replay calls, all that they call included
//     lost       operators that it cannot call
//     composite  what operators do beside those in their place: the replay calls their parts
//     engine     what autograd's engine does beside its operators: a replay does not need it
//     between    the rest: the program's own code
//
// Not for: threads that ran at the same time. Their times are added up.
//
// Example:
//   const ReplayTimes times = TimesOf(tree, checked->plan);
//   if (times.known) std::cout << times.covered_ns << " of " << times.operators_ns;
// ---------------------------------------------------------------------------------------------

#include <cstdint>

#include "benchmarks/traces/graph/trace_tree.h"
#include "benchmarks/traces/replay/replay_plan.h"

namespace assay::traces {

struct ReplayTimes {
  bool known = false;  // the trace has times
  int64_t span_ns = 0;
  int64_t operators_ns = 0;  // covered, lost and composite
  int64_t covered_ns = 0, lost_ns = 0, composite_ns = 0;
  int64_t engine_ns = 0;
  int64_t between_ns = 0;
};

// `under`: as the plan's.
ReplayTimes TimesOf(const TraceTree& tree, const ReplayPlan& plan, size_t under = kNoNode);

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_REPLAY_REPLAY_TIMES_H_
