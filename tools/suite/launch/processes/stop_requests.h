// -----------------------------------------------------------------------------
// File: stop_requests.h
// -----------------------------------------------------------------------------
//
// Catches Ctrl-C in a program that runs others: the first one lets the running process finish and
// then stops, the second stops at once, a third ends the program. SIGTERM means the same.
//
//   const StopRequests& stop = CatchStopRequests();
//   while (!stop.soon) RunOne(&stop.now);

#ifndef ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_STOP_REQUESTS_H_
#define ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_STOP_REQUESTS_H_

#include <atomic>

namespace assay::suite {

struct StopRequests {
  std::atomic<bool> soon{false};
  std::atomic<bool> now{false};
};

// Catches the signals of this process from here on. It also ignores SIGPIPE and SIGXFSZ: writing to
// a closed pipe, or beyond the limit of a file's size, then fails with an error and does not end
// the process.
const StopRequests& CatchStopRequests();

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_STOP_REQUESTS_H_
