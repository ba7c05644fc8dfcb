#ifndef ASSAY_BENCHMARKS_TRACES_ANALYSIS_REWRITING_H_
#define ASSAY_BENCHMARKS_TRACES_ANALYSIS_REWRITING_H_

// ---------------------------------------------------------------------------------------------
// rewriting.h: traces made smaller, and traces that can be given away.
//
//   Clean()      without what a data loader did, as PARAM's tools have it, and without labels that hold
//                no operator
//   Anonymise()  keeps ids, shapes, dtypes, strides, devices, times, and the operators of LibTorch with
//                their numbers. Labels become label_1, label_2, other operators custom::op_1; texts
//                that LibTorch's own schemas do not know, numbers of processes and threads, times of day,
//                states of generators, values, their digests and samples are dropped.
//
// Not for: the file of values beside a trace. An anonymous trace names none.
//
// Example:
//   const absl::Status written = WriteTrace("given.json", Anonymise(trace));
// ---------------------------------------------------------------------------------------------

#include "benchmarks/traces/reader/trace_file.h"

namespace assay::traces {

Trace Clean(Trace trace);
Trace Anonymise(Trace trace);

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_ANALYSIS_REWRITING_H_
