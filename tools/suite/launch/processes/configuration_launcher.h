// -----------------------------------------------------------------------------
// File: configuration_launcher.h
// -----------------------------------------------------------------------------
//
// Runs one process for one configuration and returns its record: the process's own, or one made
// here if it left none. Both say how it was started and how it ended (Launch).
//
// Not for the order of processes, nor for keeping records (run_configurations.h).
//
//   const ConfigurationLauncher launcher(options, suite_run_id, stop, say);
//   absl::StatusOr<Record> record = launcher.Run(
//       {.configuration = &c, .program = path, .stamp = s, .fingerprint = f}, machine, c.name, folder);

#ifndef ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_CONFIGURATION_LAUNCHER_H_
#define ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_CONFIGURATION_LAUNCHER_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/processes/child_process.h"
#include "defs/proto/record.pb.h"
#include "tools/lease/device_lease.h"
#include "tools/processes/case_process.h"
#include "tools/suite/launch/processes/memory_group.h"
#include "tools/suite/launch/processes/results_folder.h"
#include "tools/suite/launch/processes/run_options.h"
#include "tools/suite/launch/processes/secrets.h"
#include "tools/suite/launch/processes/startable.h"
#include "tools/suite/launch/processes/stop_requests.h"
#include "tools/suite/planned_run.h"

namespace assay::suite {

// One of the configurations that share a process.
struct SharedRun {
  Startable startable = {};
  std::vector<std::string> command = {};  // case_script.h; the same runner for all
};

// Callbacks for the results of a shared process, as they come. `number` is the place of a run among
// them.
struct SharedEnds {
  // Returns false if the remaining runs are not wanted.
  std::function<bool(size_t number, const Record& record)> ended;
  // Called for the run during which the process ended; `how` says how it ended.
  std::function<void(size_t number, const std::string& how)> lost;
};

class ConfigurationLauncher {
 public:
  // `say` gets lines for a person, such as which process is being waited for. All arguments outlive
  // this.
  ConfigurationLauncher(const RunOptions& options, const std::string& suite_run,
                        const StopRequests& stop, std::function<void(std::string_view)> say);

  // How the memory limit is enforced, for a person; empty if there is none.
  const std::string& memory_note() const { return memory_note_; }

  // Runs the configuration and returns its record; `name` is that of its log. Cancelled if it was
  // not started because of a stop request; else an error with the reason why it could not start: no
  // lease, no log.
  absl::StatusOr<Record> Run(const Startable& startable, const Environment& machine,
                             const std::string& name, ResultsFolder& folder) const;

  // Runs them one after another in one process, and in a new process after one that the process
  // does not survive. A run that is lost, or that the runner refuses, leaves no record: Run() has
  // to run it alone. `name` is that of their log.
  absl::Status RunShared(const std::vector<SharedRun>& runs, const Environment& machine,
                         const std::string& name, ResultsFolder& folder,
                         const SharedEnds& ends) const;

  // A record of a configuration that was not started.
  Record Unstarted(const PlannedRun& configuration, const std::string& fingerprint,
                   const Environment& machine) const;

 private:
  processes::ChildCommand CommandOf(const std::vector<std::string>& words) const;
  Record RecordOf(const Startable& startable, processes::CaseProcess process,
                  const processes::ChildCommand& command, const std::string& log,
                  const Environment& machine) const;
  // No lease where none is needed.
  absl::StatusOr<std::optional<lease::DeviceLease>> Lease(const Startable& startable,
                                                          const std::string& name) const;
  processes::CaseProcess Started(const Startable& startable, processes::ChildCommand command,
                                 const std::string& record_path) const;
  void AddLaunch(const Startable& startable, const processes::ChildCommand& command,
                 const processes::ChildEnd& end, Record& record) const;
  std::string ErrorText(const std::string& message) const;

  const RunOptions& options_;
  const std::string suite_run_;
  const StopRequests& stop_;
  const std::function<void(std::string_view)> say_;
  const Secrets secrets_;
  std::optional<MemoryGroup> memory_group_;
  std::string memory_note_;
  mutable std::vector<std::string> gpu_names_;  // the driver takes milliseconds to answer
};

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_CONFIGURATION_LAUNCHER_H_
