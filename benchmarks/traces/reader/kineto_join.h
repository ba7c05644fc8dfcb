#ifndef ASSAY_BENCHMARKS_TRACES_READER_KINETO_JOIN_H_
#define ASSAY_BENCHMARKS_TRACES_READER_KINETO_JOIN_H_

// ---------------------------------------------------------------------------------------------
// kineto_join.h: puts the times of torch.profiler's trace into an execution trace of the same run. A
// node of one and an event of the other belong together that have the same record function id and
// the same name.
//
// Times of a run that LibTorch's observer recorded hold its 10 us an operator: they show where time
// goes, not how much.
//
// Example:
//   JoinReport report = JoinTimes(trace, *LoadTrace("kineto.json.gz"));
//   std::cout << report.joined << " of " << report.joined + report.NotJoined() << " have times\n";
// ---------------------------------------------------------------------------------------------

#include <cstdint>

#include "benchmarks/traces/reader/trace_file.h"

namespace assay::traces {

// Counts of the execution trace's nodes.
struct JoinReport {
  int64_t joined = 0;
  int64_t without_id = 0;     // threads and the process: the observer gave them no id
  int64_t without_event = 0;  // the profiler's trace has no event with the id
  int64_t other_name = 0;     // the event with the id has another name
  int64_t ambiguous = 0;      // several nodes, or several events, have the id

  int64_t NotJoined() const { return without_id + without_event + other_name + ambiguous; }
};

// Kernels of `kineto` get into `trace` with the nodes that launched them; the node is 0 where that
// one was not joined.
JoinReport JoinTimes(Trace& trace, const Trace& kineto);

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_READER_KINETO_JOIN_H_
