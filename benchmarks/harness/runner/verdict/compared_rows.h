#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_COMPARED_ROWS_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_COMPARED_ROWS_H_

// ---------------------------------------------------------------------------------------------
// compared_rows.h: chooses the rows of a batch that are compared when the reference has fewer rows.
//
// The reference of an operator is computed for some rows, drawn by the case's seed. The last row is
// always among them: a kernel goes wrong in its last tile first. The reference of a model has a
// fixed number of rows. In a larger batch every further row repeats the inputs of one of them,
// drawn in the same way, so that each row of the outputs has a reference.
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

#include "benchmarks/harness/programs/program.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

// Draws `count` of the rows 0 to batch - 1, in ascending order, the last one among them; all rows
// where there are no more than `count`.
std::vector<int64_t> DrawnRows(int64_t batch, int64_t count, uint64_t seed);

// For each row of a batch, the one of the `known` rows whose inputs it gets: 0, 1, ..., then drawn
// ones.
std::vector<int64_t> RepeatedRows(int64_t batch, int64_t known, uint64_t seed);

// Selects these rows of each input of `from`, along every dimension that differs in `to`, and the
// bags of these rows; contiguous. Lets c10::Error through.
execution::Tensors RowsOfInputs(execution::TensorsRef inputs, const Workload& from,
                                const Workload& to, const std::vector<int64_t>& rows);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_COMPARED_ROWS_H_
