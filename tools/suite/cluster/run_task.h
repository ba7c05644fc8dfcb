// -----------------------------------------------------------------------------
// File: run_task.h
// -----------------------------------------------------------------------------
//
// Runs one task of a run on the machine that a cluster chose for it, whatever the cluster: reads
// the task from the folder that the machines share, runs its configuration as a suite would here, or
// its comparison by //tools:compare, and leaves one result there.
//
// Not for choosing the machine, nor for collecting results (cluster_launcher.h).
//
//   int code = RunTask({.folder = "/shared/results/cluster/RUN", .index = 3, .node = "n1"});

#ifndef ASSAY_TOOLS_SUITE_CLUSTER_RUN_TASK_H_
#define ASSAY_TOOLS_SUITE_CLUSTER_RUN_TASK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tools/suite/cluster/task_folder.h"
#include "tools/suite/launch/processes/run_options.h"
#include "tools/suite/launch/run_place.h"
#include "tools/suite/planned_run.h"

namespace assay::suite {

struct TaskRequest {
  std::string folder;  // of the run
  int index = -1;
  std::string node = {};
  int attempt = 1;
  std::string job = {};
};

// 0 when there is a result, whatever it says; else 2, with the reason on standard error.
int RunTask(const TaskRequest& request);

// Adds a task's configuration to a plan, and where its program is.
void AddToPlan(const PlannedTask& task, const std::string& results, std::vector<PlannedRun>& plan,
               RunPlace& place);
// The options of a run, and back.
RunOptions OptionsOf(const TaskRun& run);
TaskRun RunOf(const RunOptions& options);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_CLUSTER_RUN_TASK_H_
