#ifndef ASSAY_BENCHMARKS_TRACES_ANALYSIS_EXPLANATION_H_
#define ASSAY_BENCHMARKS_TRACES_ANALYSIS_EXPLANATION_H_

// ---------------------------------------------------------------------------------------------
// explanation.h: where the time of a trace went.
//
//   busy         a thread, while one of its operators runs
//   engine       autograd's engine and its nodes, without the operators: what a replay does not do
//   dispatch     operators that leave their work to others, without these (operator_mix.h, PassesOn())
//   short        operators that do the work in less than `short_ns`: what limits them is the call
//
// Example:
//   const Explanation e = Explain(tree, {});
//   e.engine_ns / e.whole_ns;
// ---------------------------------------------------------------------------------------------

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "benchmarks/traces/graph/trace_tree.h"

namespace assay::traces {

struct ThreadTime {
  int64_t thread = 0;
  size_t operators = 0;
  int64_t busy_ns = 0;
};

struct WorkTime {
  std::string name = {};           // OperatorName()
  std::vector<size_t> nodes = {};  // those with a time
  int64_t ns = 0;
};

struct Explanation {
  size_t operators = 0, timed = 0;
  int64_t whole_ns = 0;    // from the first begin to the last end
  int64_t busy_ns = 0;     // at least one thread is busy
  int64_t overlap_ns = 0;  // at least two are
  int64_t engine_ns = 0, dispatch_ns = 0, short_ns = 0;
  size_t short_calls = 0;
  std::vector<ThreadTime> threads = {};  // the busiest first
  std::vector<WorkTime> work = {};       // of operators that do the work, the longest first
};

struct ExplainOptions {
  int64_t short_ns = 10'000;
  size_t under = kNoNode;  // only what this node calls
};

Explanation Explain(const TraceTree& tree, const ExplainOptions& options);

// Bytes of the tensors that a call reads and returns, each once; 0 for a view. A cache may keep them, so
// that fewer come from memory.
int64_t BytesMoved(const TraceNode& node);

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_ANALYSIS_EXPLANATION_H_
