#ifndef ASSAY_TOOLS_TRACE_TRACE_CASE_H_
#define ASSAY_TOOLS_TRACE_TRACE_CASE_H_

// ---------------------------------------------------------------------------------------------
// trace_case.h: a trace as a case of the harness, and what is said of its replay before it is timed.
//
// Example:
//   ResolvedCase c = CaseOfTrace("et.json", "_rank1", checked->graph, program->NeedsPreparing());
// ---------------------------------------------------------------------------------------------

#include <string>

#include "absl/time/time.h"
#include "benchmarks/traces/graph/trace_tree.h"
#include "benchmarks/traces/replay/checked_replay.h"
#include "benchmarks/traces/replay/replay_times.h"
#include "benchmarks/traces/replay/trace_graph.h"
#include "benchmarks/traces/replay/value_check.h"
#include "defs/proto/record.pb.h"
#include "defs/proto/suite.pb.h"

namespace assay::trace {

// A case without inputs, whose outputs are the last results of the replay that nobody reads. Its name has
// the `part` of the file that is replayed: the name tells configurations of replays apart.
ResolvedCase CaseOfTrace(const std::string& path, const std::string& part,
                         const traces::TraceGraph& graph, bool prepared);

// Coverage, losses by their reasons, what was compared, and the times of the trace.
TraceReplay FactsOf(const traces::TraceTree& tree, const traces::CheckedReplay& checked,
                    const traces::ReplayTimes& times);

// The same for a person, what stands for values that the trace lacks, and differences.
std::string ReplayText(const TraceReplay& facts, const traces::CheckedReplay& checked);

// A table of the recorded time by its use, beside the shortest call of a replay.
std::string TimesText(const traces::ReplayTimes& times, absl::Duration replay);

// The comparison of values, for the terminal and for the record.
std::string ValuesText(const traces::ValueCheck& check);
std::string ProvenanceText(const traces::ValueCheck& check);

}  // namespace assay::trace

#endif  // ASSAY_TOOLS_TRACE_TRACE_CASE_H_
