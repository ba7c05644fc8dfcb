#ifndef ASSAY_BENCHMARKS_OPERATORS_SWEEP_OWN_ROWS_H_
#define ASSAY_BENCHMARKS_OPERATORS_SWEEP_OWN_ROWS_H_

// ---------------------------------------------------------------------------------------------
// own_rows.h: checks the rows of a user's samples file against the operators that are swept, before
// any is called: a row that does nothing would pass for a check that was made.
//
// Not for: samples.txt, whose rows serve several versions of LibTorch.
//
// Example:
//   absl::Status status = CheckOwnRows(table, names);
//   // mine.txt:3: no operator that '^mine::softmx$' fits is swept; the nearest is mine::softmax
// ---------------------------------------------------------------------------------------------

#include <ATen/core/operator_name.h>

#include <vector>

#include "absl/status/status.h"
#include "benchmarks/operators/sweep/sample_table.h"

namespace assay::sweep {

// InvalidArgument, with file, line and the nearest names, for a pattern that fits none of `swept`, an
// argument that no operator of its pattern has, a text that is no value, and a truth that does not
// exist or does not take the arguments.
absl::Status CheckOwnRows(const SampleTable& table, const std::vector<c10::OperatorName>& swept);

}  // namespace assay::sweep

#endif  // ASSAY_BENCHMARKS_OPERATORS_SWEEP_OWN_ROWS_H_
