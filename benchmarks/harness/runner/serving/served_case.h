#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_SERVED_CASE_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_SERVED_CASE_H_

// ---------------------------------------------------------------------------------------------
// served_case.h: what the parts of a case under load need to know of it, and the code of load as the
// runner sees it. A program has that code where --//benchmarks/harness/runner/serving:load links it.
//
// Example:
//   const LinkedServing* serving = FindServing();   // nullptr: not linked
//   absl::Status served = serving->serve({.c = c, .settings = settings, ...});
// ---------------------------------------------------------------------------------------------

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "benchmarks/harness/configuration/flag_spec.h"
#include "benchmarks/harness/execution/backend.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/load/load_generator.h"
#include "defs/proto/record.pb.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

struct ServingSettings;  // serving_settings.h

struct ServedCase {
  const ResolvedCase& c;
  const ServingSettings& settings;
  const execution::BackendRequest& request;
  execution::Executable& executable;  // which was verified; others of its program are loaded
  int threads = 0;                    // of each worker; 0: the cores divided by the workers
  int64_t max_batch = 0;              // requests of a call; 0: the settings', or the case's
  int cpus = 1;
  int64_t memory_bytes = 0;  // that are free; 0: not known
  // A call hangs that takes longer than this, and than a hundred times its usual time.
  absl::Duration hung_after = absl::Seconds(60);
  // For how long an interrupted generator may go on while nothing is being answered.
  absl::Duration stops_within = absl::Seconds(5);
  std::string mistake = {};  // of a worker
  const std::atomic<bool>& interrupted;
  std::ostream& out;
  std::function<void(std::string text)> doing;  // what is in progress, for a time limit
  // Ends the process: a worker does not come back, or the generator does not stop.
  std::function<void(Outcome, const std::string& why)> give_up;
  std::function<void(const Served&)> done;  // a rate
};

// Makes the generator of a load that SentByLoadGen().
using GeneratorOf = std::function<std::unique_ptr<load::LoadGenerator>(const load::Load&)>;

struct LinkedServing {
  // ReadServingSettings().
  absl::StatusOr<std::shared_ptr<const ServingSettings>> (*read)(const configuration::FlagValues&);
  absl::Span<const std::string_view> mistakes;  // of workers, and not of the program (--mistake)
  absl::Status (*serve)(const ServedCase&);
};

inline const LinkedServing*& RegisteredServing() {
  static const LinkedServing* serving = nullptr;
  return serving;
}
inline const LinkedServing* FindServing() { return RegisteredServing(); }

// Serves a case, one rate after another, and judges every reply. The verdict on the case
// comes before (case_run.h). Errors end a run (run_status.h): FAIL_ACCURACY for a reply that is wrong, lost or
// doubled, FAIL_LATENCY for a missed bound where there is one rate, INTERRUPTED, and those of a worker's call.
// A usage error where the case cannot be served.
absl::Status ServeCase(const ServedCase& given, GeneratorOf loadgen);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_SERVED_CASE_H_
