// -----------------------------------------------------------------------------
// File: cluster_launcher.h
// -----------------------------------------------------------------------------
//
// Runs a plan's configurations as tasks of a cluster: stages their programs, writes the tasks,
// submits them, and takes their results as they come. A run that began before is gone on with: its
// tasks are in the folder.
//
// A task that ends without a result is lost, whatever the cluster says of it.
//
//   ClusterLauncher launcher(MakeSlurm({}), /*attach=*/false);
//   return RunConfigurations(plan, options, {.launcher = &launcher});

#ifndef ASSAY_TOOLS_SUITE_CLUSTER_CLUSTER_LAUNCHER_H_
#define ASSAY_TOOLS_SUITE_CLUSTER_CLUSTER_LAUNCHER_H_

#include <future>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tools/suite/cluster/engine.h"
#include "tools/suite/cluster/task_folder.h"
#include "tools/suite/launch/processes/task_launcher.h"

namespace assay::suite {

class ClusterLauncher final : public TaskLauncher {
 public:
  // With a `comparison`, whose program is this machine's, tasks are comparisons.
  ClusterLauncher(std::unique_ptr<Engine> engine, bool attach, ComparisonPlan comparison = {})
      : engine_(std::move(engine)), attach_(attach), comparison_(std::move(comparison)) {}

  std::vector<Environment> Machines(const std::string& folder) const override {
    return ReadMachines(folder);
  }
  absl::Status Run(const std::string& suite_run, const std::vector<RemoteRun>& runs,
                   const std::string& folder, const RunOptions& options, FileDigests& digests,
                   const StopRequests& stop, const RemoteCallbacks& callbacks) override;

 private:
  // State of a run.
  struct Going {
    TaskFolder folder;
    const RemoteCallbacks& callbacks;
    std::map<int64_t, int64_t> open = {};       // task -> its number
    std::map<int64_t, std::string> names = {};  // number -> name
    double clock_ahead_s = 0;                   // of this machine's clock
    std::set<std::string> clocks_said = {};
    std::future<void> removal = {};  // of results that are kept; the next ones are read meanwhile
  };

  absl::Status Submit(const std::vector<RemoteRun>& runs, const RunOptions& options,
                      FileDigests& digests, const std::string& suite_run, Going& going);
  absl::Status ReadOpen(const std::vector<RemoteRun>& runs, Going& going) const;
  absl::Status TakeAll(Going& going) const;
  void SayHowItRan(const TaskResult& result, int64_t task, Going& going) const;
  void Lose(Going& going, const Queue& queue, bool cancelled) const;
  absl::Status Finish(Going& going) const;
  absl::Status Wait(const StopRequests& stop, Going& going);

  const std::unique_ptr<Engine> engine_;
  const bool attach_;
  const ComparisonPlan comparison_;
};

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_CLUSTER_CLUSTER_LAUNCHER_H_
