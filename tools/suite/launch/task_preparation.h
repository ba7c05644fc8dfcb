// -----------------------------------------------------------------------------
// File: task_preparation.h
// -----------------------------------------------------------------------------
//
// Makes the tasks of a plan: builds the programs, takes their fingerprints, and copies those that
// run here, so that no build in the tree changes them.
//
//   TaskPreparation preparation(options, place, digests, stop);
//   absl::Status prepared = preparation.Fill(plan, ledger);

#ifndef ASSAY_TOOLS_SUITE_LAUNCH_TASK_PREPARATION_H_
#define ASSAY_TOOLS_SUITE_LAUNCH_TASK_PREPARATION_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "defs/proto/record.pb.h"
#include "tools/processes/program_copies.h"
#include "tools/suite/launch/ledger.h"
#include "tools/suite/launch/processes/configuration_launcher.h"
#include "tools/suite/launch/processes/file_digests.h"
#include "tools/suite/launch/processes/run_fingerprint.h"
#include "tools/suite/launch/processes/run_options.h"
#include "tools/suite/launch/processes/stop_requests.h"
#include "tools/suite/launch/run_place.h"
#include "tools/suite/planned_run.h"

namespace assay::suite {

class TaskPreparation {
 public:
  // All arguments outlive this. This outlives the ledger's tasks, and ends before the folder of the
  // results, where its copies are.
  TaskPreparation(const RunOptions& options, const RunPlace& place, FileDigests& digests,
                  const StopRequests& stop)
      : options_(options), place_(place), digests_(digests), stop_(stop) {}

  // Adds a task for each configuration, in the plan's order. Errors are those of the build, of a
  // program that cannot be read or copied, and FailedPrecondition where there is no tree to build in.
  absl::Status Fill(const std::vector<PlannedRun>& plan, Ledger& ledger);

 private:
  using Programs = std::map<std::string, std::string>;  // by label

  absl::StatusOr<Programs> Build(const std::vector<PlannedRun>& plan, Ledger& ledger);
  absl::StatusOr<Task> TaskOf(const PlannedRun& c, const Programs& programs);
  // The machine of a device, and what the fingerprints of all configurations on it have in common.
  Fingerprints& On(DeviceType device);
  absl::Status AddKnown(Task task, Ledger& ledger);
  absl::Status Copy(Task& task, Ledger& ledger);

  const RunOptions& options_;
  const RunPlace& place_;
  FileDigests& digests_;
  const StopRequests& stop_;
  std::map<DeviceType, Environment> machines_;
  std::map<DeviceType, Fingerprints> fingerprints_;
  std::vector<Fingerprints> elsewhere_;     // on machines of earlier tasks
  std::map<std::string, uint64_t> stamps_;  // by program
  std::optional<processes::ProgramCopies> copies_;
};

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_LAUNCH_TASK_PREPARATION_H_
