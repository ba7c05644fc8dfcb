#ifndef ASSAY_BENCHMARKS_HARNESS_PROCESSES_WATCHDOG_H_
#define ASSAY_BENCHMARKS_HARNESS_PROCESSES_WATCHDOG_H_

// ---------------------------------------------------------------------------------------------
// watchdog.h: calls a function when something takes too long. It is a thread that sleeps until
// then, so it costs a measurement nothing.
//
// Not for: stopping a hung thread, which nothing can do safely; the function ends the process.
//
// Example:
//   Watchdog watchdog(absl::Seconds(600), [&] { ...; std::_Exit(2); });
// ---------------------------------------------------------------------------------------------

#include <functional>
#include <thread>

#include "absl/synchronization/notification.h"
#include "absl/time/time.h"

namespace assay::processes {

class Watchdog {
 public:
  // Never calls `fire` where `limit` is zero.
  Watchdog(absl::Duration limit, std::function<void()> fire);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  absl::Notification done_;
  std::thread thread_;
};

}  // namespace assay::processes

#endif  // ASSAY_BENCHMARKS_HARNESS_PROCESSES_WATCHDOG_H_
