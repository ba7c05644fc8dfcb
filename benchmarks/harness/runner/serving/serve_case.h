#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_SERVE_CASE_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_SERVE_CASE_H_

// ---------------------------------------------------------------------------------------------
// serve_case.h: serves a case under load, one rate after another, and judges every reply.
//
// Workers share the program, and so its weights. On CUDA they share a stream, too. Where a program
// takes one call at a time, they take turns, and a check says so.
//
// Not for: the verdict on the case, which comes before (case_run.h).
//
// Example:
//   absl::Status served = ServeCase({.c = c, .settings = settings, ...});
// ---------------------------------------------------------------------------------------------

#include <atomic>
#include <functional>
#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "benchmarks/harness/execution/backend.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/runner/serving/serving_settings.h"
#include "defs/proto/record.pb.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

struct ServedCase {
  const ResolvedCase& c;
  const ServingSettings& settings;
  const execution::BackendRequest& request;
  execution::Executable& executable;  // which was verified; others of its program are loaded
  int threads = 0;                    // of each worker; 0: the cores divided by the workers
  int cpus = 1;
  std::string mistake = {};  // of a worker
  const std::atomic<bool>& interrupted;
  std::ostream& out;
  std::function<void(std::string text)> doing;   // what is in progress, for a time limit
  std::function<void(const std::string&)> hung;  // a worker does not come back; ends the process
  std::function<void(const Served&)> done;       // a rate
};

// Errors end a run (run_status.h): FAIL_ACCURACY for a reply that is wrong, lost or doubled,
// FAIL_LATENCY for a missed bound where there is one rate, INTERRUPTED, and those of a worker's call.
// A usage error where the case cannot be served, or no load generator is linked.
absl::Status ServeCase(const ServedCase& given);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_SERVE_CASE_H_
