// -----------------------------------------------------------------------------
// File: run_configurations.h
// -----------------------------------------------------------------------------
//
// Runs a plan: builds what it needs, starts a fresh process for each configuration, and keeps a
// record of each in a folder (results_folder.h), however the process ended.
//
// A process runs under its limits, waits until the device is free (tools/lease) and writes its own
// record; if it leaves none, a record made here says what happened to it. A configuration that has
// a record is not run again (run_fingerprint.h).
//
// Not for choosing what a plan contains (plan/).
//
//   int main(...) {
//     ...
//     return RunConfigurations(plan, options);
//   }

#ifndef ASSAY_TOOLS_SUITE_LAUNCH_RUN_CONFIGURATIONS_H_
#define ASSAY_TOOLS_SUITE_LAUNCH_RUN_CONFIGURATIONS_H_

#include <string>
#include <vector>

#include "absl/time/time.h"
#include "tools/suite/launch/processes/run_options.h"
#include "tools/suite/launch/run_place.h"
#include "tools/suite/planned_run.h"

namespace assay::suite {

// A new name of a run, for SuiteRun.id.
std::string NewRunId(absl::Time start);

// Results go to standard output, progress and errors to standard error; paths are from the current
// folder, labels in the tree of BUILD_WORKSPACE_DIRECTORY. Catches Ctrl-C (stop_requests.h).
//
// The exit code: 1 if the product is at fault in any configuration, including those done before;
// else 2 if the machine is at fault in one, if not all were run, or if there was nothing to run;
// else 0.
int RunConfigurations(const std::vector<PlannedRun>& plan, const RunOptions& options,
                      const RunPlace& place = {});

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_LAUNCH_RUN_CONFIGURATIONS_H_
