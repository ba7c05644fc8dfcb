#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_COMPARED_ROWS_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_COMPARED_ROWS_H_

// ---------------------------------------------------------------------------------------------
// compared_rows.h: which rows of a batch are held against what is known of fewer rows.
//
// What an operator should give is computed for some of its rows, drawn by the case's seed, the last
// one always among them: a kernel goes wrong in its last tile first. What a model should give is
// known of the rows of its reference; in a larger batch every row beyond them gets the inputs of one
// of these, drawn likewise, so that each row of the outputs has its reference.
//
// Not for: comparing (numerics/comparison.h).
//
// Example:
//   std::vector<int64_t> rows = DrawnRows(/*batch=*/1024, /*count=*/128, seed);  // ..., 1023
//   Tensors inputs = RowsOfInputs(all, c.verified(), c.referenced(), rows);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "benchmarks/harness/execution/program.h"
#include "defs/suite.pb.h"

namespace assay::runner {

// `count` of the rows 0 to batch - 1, ascending, the last one among them; all where there are no
// more.
std::vector<int64_t> DrawnRows(int64_t batch, int64_t count, uint64_t seed);

// For each row of a batch the one of `known` rows whose inputs it gets: 0, 1, ..., and from there on
// drawn ones.
std::vector<int64_t> RepeatedRows(int64_t batch, int64_t known, uint64_t seed);

// Of each input of `from` these rows, along every dimension that differs in `to`; contiguous. Lets
// c10::Error through.
execution::Tensors RowsOfInputs(execution::TensorsRef inputs, const Workload& from,
                                const Workload& to, const std::vector<int64_t>& rows);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_COMPARED_ROWS_H_
