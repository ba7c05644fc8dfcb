// -----------------------------------------------------------------------------
// File: remote_launcher.h
// -----------------------------------------------------------------------------
//
// Runs tasks on the machines of a cluster, and keeps the records that come back. What the plan
// leaves out has its record made here.
//
//   RemoteLauncher(options, processes, cluster, digests, stop).Run(ledger);

#ifndef ASSAY_TOOLS_SUITE_LAUNCH_REMOTE_LAUNCHER_H_
#define ASSAY_TOOLS_SUITE_LAUNCH_REMOTE_LAUNCHER_H_

#include <cstdint>
#include <map>
#include <vector>

#include "absl/status/status.h"
#include "tools/suite/launch/launcher.h"
#include "tools/suite/launch/ledger.h"
#include "tools/suite/launch/processes/configuration_launcher.h"
#include "tools/suite/launch/processes/file_digests.h"
#include "tools/suite/launch/processes/run_options.h"
#include "tools/suite/launch/processes/stop_requests.h"
#include "tools/suite/launch/processes/task_launcher.h"

namespace assay::suite {

class RemoteLauncher final : public Launcher {
 public:
  // All arguments outlive this.
  RemoteLauncher(const RunOptions& options, const ConfigurationLauncher& processes,
                 TaskLauncher& cluster, FileDigests& digests, const StopRequests& stop)
      : options_(options),
        processes_(processes),
        cluster_(cluster),
        digests_(digests),
        stop_(stop) {}

  void Run(Ledger& ledger) override;

 private:
  // The tasks that go there; the others are done here.
  std::vector<RemoteRun> Open(Ledger& ledger);
  absl::Status Take(const std::vector<RemoteResult>& results, Ledger& ledger) const;
  void Lose(const LostRun& lost, Ledger& ledger) const;

  const RunOptions& options_;
  const ConfigurationLauncher& processes_;
  TaskLauncher& cluster_;
  FileDigests& digests_;
  const StopRequests& stop_;
  std::map<int64_t, Task*> by_number_;
};

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_LAUNCH_REMOTE_LAUNCHER_H_
