// -----------------------------------------------------------------------------
// File: configuration_process.h
// -----------------------------------------------------------------------------
//
// One process for one configuration, and the record of it: the process's own, or one made here where
// it left none. Either says how it was started and how it ended (Launch).
//
// Not for the order of processes, nor for keeping records (run_configurations.h).
//
//   const Starter starter(options, suite_run_id, stop, say);
//   absl::StatusOr<Record> record = starter.Run(
//       {.configuration = &c, .program = path, .stamp = s, .fingerprint = f}, machine, c.name, folder);

#ifndef ASSAY_TOOLS_SUITE_LAUNCH_CONFIGURATION_PROCESS_H_
#define ASSAY_TOOLS_SUITE_LAUNCH_CONFIGURATION_PROCESS_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/processes/child_process.h"
#include "defs/record.pb.h"
#include "tools/lease/device_lease.h"
#include "tools/processes/case_process.h"
#include "tools/suite/configuration.h"
#include "tools/suite/launch/memory_group.h"
#include "tools/suite/launch/results_folder.h"
#include "tools/suite/launch/run_options.h"
#include "tools/suite/launch/secrets.h"
#include "tools/suite/launch/stop_requests.h"

namespace assay::suite {

// A configuration that can be started.
struct Startable {
  const Configuration* configuration = nullptr;
  std::string program = {};
  uint64_t stamp = 0;  // of the program, when its fingerprint was taken
  std::string fingerprint = {};
};

// One of the configurations that share a process.
struct SharedRun {
  Startable startable = {};
  std::vector<std::string> command = {};  // case_script.h; the same runner for all
};

// What came of them, as it comes; the number is the place among them.
struct SharedEnds {
  // False: the others are not wanted any more.
  std::function<bool(size_t number, const Record& record)> ended;
  // It was running when the process ended, so.
  std::function<void(size_t number, const std::string& how)> lost;
};

class Starter {
 public:
  // `say` gets lines for a person: for whom a process waits. All outlive this.
  Starter(const RunOptions& options, const std::string& suite_run, const StopRequests& stop,
          std::function<void(std::string_view)> say);

  // How the memory limit is kept, for a person; empty where there is none.
  const std::string& memory_note() const { return memory_note_; }

  // Its record; `name` is that of its log. Cancelled where it was not started, since it is time to
  // stop; else, with the reason, why it could not be: no lease, no log.
  absl::StatusOr<Record> Run(const Startable& startable, const Environment& machine,
                             const std::string& name, ResultsFolder& folder) const;

  // Runs them one after another in one process; after one that it does not survive, in another one.
  // What is lost leaves no record, nor does what the runner refuses: it is for Run(). `name` is that
  // of their log.
  absl::Status RunShared(const std::vector<SharedRun>& runs, const Environment& machine,
                         const std::string& name, ResultsFolder& folder,
                         const SharedEnds& ends) const;

  // A record of a configuration that was not started.
  Record Unstarted(const Configuration& configuration, const std::string& fingerprint,
                   const Environment& machine) const;

 private:
  processes::ChildCommand CommandOf(const std::vector<std::string>& words) const;
  Record RecordOf(const Startable& startable, processes::CaseProcess process,
                  const processes::ChildCommand& command, const std::string& log,
                  const Environment& machine) const;
  // Nothing where none is asked for.
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
  mutable std::vector<std::string> gpu_names_;  // asking the driver takes milliseconds
};

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_LAUNCH_CONFIGURATION_PROCESS_H_
