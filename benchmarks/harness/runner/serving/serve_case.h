#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_SERVE_CASE_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_SERVE_CASE_H_

// ---------------------------------------------------------------------------------------------
// serve_case.h: serves a case under load, one rate after another, and judges every reply.
//
// On CUDA workers share a stream.
//
// Not for: the verdict on the case, which comes before (case_run.h).
//
// Example:
//   absl::Status served = ServeCase({.c = c, .settings = settings, ...});
// ---------------------------------------------------------------------------------------------

#include "absl/status/status.h"
#include "benchmarks/harness/runner/serving/served_case.h"

namespace assay::runner {

// Errors end a run (run_status.h): FAIL_ACCURACY for a reply that is wrong, lost or doubled,
// FAIL_LATENCY for a missed bound where there is one rate, INTERRUPTED, and those of a worker's call.
// A usage error where the case cannot be served; Internal where a scenario needs LoadGen and it is
// not linked.
absl::Status ServeCase(const ServedCase& given);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_SERVE_CASE_H_
