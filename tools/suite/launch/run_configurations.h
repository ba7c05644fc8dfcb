// -----------------------------------------------------------------------------
// File: run_configurations.h
// -----------------------------------------------------------------------------
//
// Runs a plan: builds what it needs, starts a fresh process for each configuration, and keeps a
// record of each in a folder (results_folder.h), whatever became of the process.
//
// A process is held to its limits, waits until the device is free (tools/lease), and speaks through
// its own record; where it leaves none, a record says what happened to it. What a plan has a record
// of is not run again (run_fingerprint.h).
//
// Not for what is in a plan.
//
//   int main(...) {
//     ...
//     return RunConfigurations(plan, options);
//   }

#ifndef ASSAY_TOOLS_SUITE_LAUNCH_RUN_CONFIGURATIONS_H_
#define ASSAY_TOOLS_SUITE_LAUNCH_RUN_CONFIGURATIONS_H_

#include <vector>

#include "tools/suite/configuration.h"
#include "tools/suite/launch/run_options.h"

namespace assay::suite {

// Results on standard output, progress and complaints on standard error; paths are from the current
// folder, labels in the tree of BUILD_WORKSPACE_DIRECTORY. Catches Ctrl-C (stop_requests.h).
//
// The exit code: 1 where the outcome of any configuration, those done before included, is the
// product's fault; else 2 where one is the surroundings', where not all were run, or where nothing
// was to be run; else 0.
int RunConfigurations(const std::vector<Configuration>& plan, const RunOptions& options);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_LAUNCH_RUN_CONFIGURATIONS_H_
