// -----------------------------------------------------------------------------
// File: local_launcher.h
// -----------------------------------------------------------------------------
//
// Runs tasks on this machine, one after another, each in a fresh process; with --processes, the
// first process of each task, then the second of each, in an order that is drawn. It finds the
// largest batch where one is asked for (batch_search.h).
//
//   LocalLauncher(options, processes, stop).Run(ledger);

#ifndef ASSAY_TOOLS_SUITE_LAUNCH_LOCAL_LAUNCHER_H_
#define ASSAY_TOOLS_SUITE_LAUNCH_LOCAL_LAUNCHER_H_

#include <deque>

#include "tools/suite/launch/launcher.h"
#include "tools/suite/launch/ledger.h"
#include "tools/suite/launch/processes/configuration_launcher.h"
#include "tools/suite/launch/processes/run_options.h"
#include "tools/suite/launch/processes/stop_requests.h"
#include "tools/suite/planned_run.h"

namespace assay::suite {

class LocalLauncher final : public Launcher {
 public:
  // All arguments outlive this, and this outlives the ledger's use of its tasks.
  LocalLauncher(const RunOptions& options, const ConfigurationLauncher& processes,
                const StopRequests& stop)
      : options_(options), processes_(processes), stop_(stop) {}

  void Run(Ledger& ledger) override;

 private:
  void RunTask(Task& task, Ledger& ledger);
  // Whether the task's batch is known now. If not, the result of the search has been kept.
  bool FindBatch(Task& task, Ledger& ledger);
  void RunProcess(Task& task, Ledger& ledger) const;

  const RunOptions& options_;
  const ConfigurationLauncher& processes_;
  const StopRequests& stop_;
  std::deque<PlannedRun> found_;  // with a found batch; tasks point to them
};

// Keeps the record of a task that its plan leaves out.
void KeepSkipped(const ConfigurationLauncher& processes, Task& task, Ledger& ledger);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_LAUNCH_LOCAL_LAUNCHER_H_
