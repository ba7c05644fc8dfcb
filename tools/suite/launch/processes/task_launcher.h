// -----------------------------------------------------------------------------
// File: task_launcher.h
// -----------------------------------------------------------------------------
//
// How a plan's configurations are run on other machines: an interface, so that running a plan
// (run_configurations.h) knows no cluster, and a cluster (tools/suite/cluster) knows no plan.
//
//   class Slurm final : public TaskLauncher { ... };
//   return RunConfigurations(plan, options, {.launcher = &slurm});

#ifndef ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_TASK_LAUNCHER_H_
#define ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_TASK_LAUNCHER_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "defs/proto/record.pb.h"
#include "tools/suite/launch/processes/file_digests.h"
#include "tools/suite/launch/processes/run_options.h"
#include "tools/suite/launch/processes/stop_requests.h"
#include "tools/suite/planned_run.h"

namespace assay::suite {

// One of the ways to call a case that are held against each other, on one machine in turns.
struct RemoteSide {
  std::string program = {};
  std::string flags = {};  // as words of a shell
};

struct RemoteRun {
  int64_t number = 0;  // in the run, from 1: Launch.task of its record
  const PlannedRun* configuration = nullptr;
  std::string program = {};
  DeviceType device = CPU;
  std::vector<RemoteSide> sides = {};  // of a comparison, the baseline first
};

// The results of a configuration, wherever it ran.
struct RemoteResult {
  int64_t number = 0;
  std::string line = {};  // its record or comparison as JSON, without a newline
  Record record = {};     // the same without samples
  std::vector<std::string> process_lines = {};  // with --processes: one for each
};

// A configuration that will leave no record.
struct LostRun {
  int64_t number = 0;
  Outcome outcome = OUTCOME_UNSPECIFIED;  // TIMEOUT or OUT_OF_MEMORY where the cluster says so
  std::string reason = {};
  Environment machine = {};  // of its last attempt, where an outcome is known
};

struct RemoteCallbacks {
  // Takes results as they come; an error ends the run. They are on the disk when it returns.
  std::function<absl::Status(const std::vector<RemoteResult>&)> take;
  std::function<void(const LostRun&)> lost;
  std::function<void(std::string_view)> say;       // lines for a person
  std::function<void(std::string_view)> progress;  // what goes on
};

class TaskLauncher {
 public:
  TaskLauncher() = default;
  TaskLauncher(const TaskLauncher&) = delete;
  TaskLauncher& operator=(const TaskLauncher&) = delete;
  virtual ~TaskLauncher() = default;

  // The machines of earlier tasks whose records are in the folder. What one of them has run is done.
  virtual std::vector<Environment> Machines(const std::string& folder) const = 0;

  // Returns when nothing more comes: each run has then been taken, or lost, or, after a stop request
  // or an error, neither. `folder` is that of the results.
  virtual absl::Status Run(const std::string& suite_run, const std::vector<RemoteRun>& runs,
                           const std::string& folder, const RunOptions& options,
                           FileDigests& digests, const StopRequests& stop,
                           const RemoteCallbacks& callbacks) = 0;
};

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_TASK_LAUNCHER_H_
