// -----------------------------------------------------------------------------
// File: shared_launcher.h
// -----------------------------------------------------------------------------
//
// Runs together, in one process, the tasks that can share one: those of one runner with the same
// flags of a process. A task whose process ended while it ran, or which shares with none, stays
// open for LocalLauncher.
//
//   SharedLauncher(processes).Run(ledger);

#ifndef ASSAY_TOOLS_SUITE_LAUNCH_SHARED_LAUNCHER_H_
#define ASSAY_TOOLS_SUITE_LAUNCH_SHARED_LAUNCHER_H_

#include "tools/suite/launch/launcher.h"
#include "tools/suite/launch/ledger.h"
#include "tools/suite/launch/processes/configuration_launcher.h"

namespace assay::suite {

class SharedLauncher final : public Launcher {
 public:
  explicit SharedLauncher(const ConfigurationLauncher& processes) : processes_(processes) {}

  void Run(Ledger& ledger) override;

 private:
  const ConfigurationLauncher& processes_;
};

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_LAUNCH_SHARED_LAUNCHER_H_
