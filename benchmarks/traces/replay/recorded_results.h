#ifndef ASSAY_BENCHMARKS_TRACES_REPLAY_RECORDED_RESULTS_H_
#define ASSAY_BENCHMARKS_TRACES_REPLAY_RECORDED_RESULTS_H_

// ---------------------------------------------------------------------------------------------
// recorded_results.h: compares a replay's results with what a capture with values has recorded of
// them: a digest of all elements, and up to eight elements.
//
// A result is right where its digest is equal. Another machine, or another number of threads, adds in
// another order. So a floating-point result with another digest is near where each recorded element
// differs by no more than the limit of its dtype times the standard deviation of the result; limits
// are those of defs/tolerances.bzl for single elements. All else is wrong.
//
// A view of memory that aten::empty made may show what lay there before: its digest says nothing, and
// the operators that read it are compared.
//
// Example:
//   ResultCounts counts;
//   std::string wrong = CompareRecorded(*node.recorded, /*place=*/0, tensor, counts);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

#include "benchmarks/traces/reader/trace_node.h"

namespace assay::traces {

struct ResultCounts {
  int64_t equal = 0;      // to the bit
  int64_t near = 0;       // by their samples
  int64_t unwritten = 0;  // the trace has no digest, as nobody wrote the elements
  double farthest = 0;    // difference of a sample of those that are near, in standard deviations
  int64_t Compared() const { return equal + near; }
};

// "element 7 is 2.5, in the trace 2"; empty: as in the trace, or it has nothing to compare.
std::string CompareRecorded(const RecordedValues& recorded, size_t place, const at::Tensor& got,
                            ResultCounts& counts);

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_REPLAY_RECORDED_RESULTS_H_
