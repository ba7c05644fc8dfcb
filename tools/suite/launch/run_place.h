// -----------------------------------------------------------------------------
// File: run_place.h
// -----------------------------------------------------------------------------
//
// The place where a plan is run, if not here and of this tree.
//
//   RunConfigurations(plan, options, {.launcher = &cluster});

#ifndef ASSAY_TOOLS_SUITE_LAUNCH_RUN_PLACE_H_
#define ASSAY_TOOLS_SUITE_LAUNCH_RUN_PLACE_H_

#include <map>
#include <string>

#include "tools/suite/launch/processes/task_launcher.h"

namespace assay::suite {

// A program that is there already, with the digest of it and all its runfiles (file_digests.h).
struct BuiltProgram {
  std::string path = {};
  std::string digest = {};
};

struct RunPlace {
  TaskLauncher* launcher = nullptr;  // runs it elsewhere
  std::string suite_run = {};        // of a run that began earlier; empty: a new one
  std::map<std::string, BuiltProgram> programs =
      {};  // by label; nothing is built where there are any
};

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_LAUNCH_RUN_PLACE_H_
