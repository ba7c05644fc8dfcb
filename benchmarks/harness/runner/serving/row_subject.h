#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_ROW_SUBJECT_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_ROW_SUBJECT_H_

// ---------------------------------------------------------------------------------------------
// row_subject.h: a case of one forward pass under load: requests are rows, and a worker answers
// several with one call.
//
// Workers share the program, and so its weights. Where a program takes one call at a time, they take
// turns, and a check says so.
//
// Example:
//   absl::StatusOr<std::unique_ptr<ServedSubject>> subject = MakeRowSubject(given, max_batch, threads);
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "benchmarks/harness/runner/serving/served_case.h"
#include "benchmarks/harness/runner/serving/served_subject.h"

namespace assay::runner {

// Computes each sample alone. InvalidArgument for a case that cannot be served. `given` outlives the
// result.
absl::StatusOr<std::unique_ptr<ServedSubject>> MakeRowSubject(const ServedCase& given,
                                                              int64_t max_batch, int threads);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_ROW_SUBJECT_H_
