// -----------------------------------------------------------------------------
// File: run_on_cluster.h
// -----------------------------------------------------------------------------
//
// Runs a plan here or on a cluster, as its options say, or goes on with a run that began on one.
//
//   if (options.attach) return Attach(options);
//   return RunPlanned(plan, options);

#ifndef ASSAY_TOOLS_SUITE_CLUSTER_RUN_ON_CLUSTER_H_
#define ASSAY_TOOLS_SUITE_CLUSTER_RUN_ON_CLUSTER_H_

#include <vector>

#include "tools/suite/launch/run_options.h"
#include "tools/suite/planned_run.h"

namespace assay::suite {

// The exit codes of RunConfigurations(); 2 where a run on a cluster has to be gone on with first,
// 3 for flags of sbatch that cannot be given.
int RunPlanned(const std::vector<PlannedRun>& plan, const RunOptions& options);

// 2 where the folder has no such run.
int Attach(const RunOptions& options);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_CLUSTER_RUN_ON_CLUSTER_H_
