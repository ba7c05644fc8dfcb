// -----------------------------------------------------------------------------
// File: startable.h
// -----------------------------------------------------------------------------
//
// A configuration with the program that runs it.
//
//   Startable startable = {.configuration = &c, .program = path, .stamp = processes::StampOf(path)};

#ifndef ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_STARTABLE_H_
#define ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_STARTABLE_H_

#include <cstdint>
#include <string>

#include "tools/suite/planned_run.h"

namespace assay::suite {

struct Startable {
  const PlannedRun* configuration = nullptr;
  std::string program = {};
  std::string built = {};  // of which `program` is a copy, for people to start; empty: itself
  uint64_t stamp = 0;      // of the program, when its fingerprint was taken
  std::string fingerprint = {};
};

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_STARTABLE_H_
