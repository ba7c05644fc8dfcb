#include "benchmarks/harness/processes/watchdog.h"

#include <utility>

namespace assay::processes {

Watchdog::Watchdog(absl::Duration limit, std::function<void()> fire) {
  if (limit <= absl::ZeroDuration()) return;
  thread_ = std::thread([this, limit, fire = std::move(fire)] {
    if (!done_.WaitForNotificationWithTimeout(limit)) fire();
  });
}

Watchdog::~Watchdog() {
  done_.Notify();
  if (thread_.joinable()) thread_.join();
}

}  // namespace assay::processes
