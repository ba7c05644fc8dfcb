// -----------------------------------------------------------------------------
// File: launcher.h
// -----------------------------------------------------------------------------
//
// A way to run the tasks of a ledger that are not done. Each leaves a record, or stays open for the
// next launcher or for the same command another time.
//
//   LocalLauncher        a process for each task, on this machine
//   SharedLauncher       tasks of one runner in one process (--in-process)
//   RemoteLauncher       tasks of a cluster
//
//   LocalLauncher(options, processes, stop).Run(ledger);

#ifndef ASSAY_TOOLS_SUITE_LAUNCH_LAUNCHER_H_
#define ASSAY_TOOLS_SUITE_LAUNCH_LAUNCHER_H_

#include "tools/suite/launch/ledger.h"

namespace assay::suite {

class Launcher {
 public:
  Launcher() = default;
  Launcher(const Launcher&) = delete;
  Launcher& operator=(const Launcher&) = delete;
  virtual ~Launcher() = default;

  // Returns when nothing more comes. Stops the ledger where no other task could be run either.
  virtual void Run(Ledger& ledger) = 0;
};

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_LAUNCH_LAUNCHER_H_
