#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_MEASURE_DYNAMIC_BATCH_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_MEASURE_DYNAMIC_BATCH_H_

// ---------------------------------------------------------------------------------------------
// dynamic_batch.h: --dynamic-batch=1,2,4,8, runs several batches one after another in one process,
// with one program, as TorchDynamo's benchmarks do for a dynamic batch. Each is a run with a record
// of its own, as if --batch=N had been given.
//
// Not for: the run of one batch (case_run.h).
//
// Example:
//   absl::StatusOr<std::vector<int64_t>> batches = ParseBatches("1,2,4,8");
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace assay::runner {

// The batches in their order. InvalidArgument for anything that is no number of rows, and for a
// batch that is named twice.
absl::StatusOr<std::vector<int64_t>> ParseBatches(std::string_view text);

// The words of a command line with --batch=N in place of --dynamic-batch.
std::vector<std::string> WithBatch(const std::vector<std::string>& words, int64_t batch);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_MEASURE_DYNAMIC_BATCH_H_
