// -----------------------------------------------------------------------------
// File: stop_requests.h
// -----------------------------------------------------------------------------
//
// What Ctrl-C asks of a program that runs others: once, to finish what runs and stop; twice, to stop
// now; a third time it ends the program. SIGTERM means the same.
//
//   const StopRequests& stop = CatchStopRequests();
//   while (!stop.soon) RunOne(&stop.now);

#ifndef ASSAY_TOOLS_SUITE_LAUNCH_STOP_REQUESTS_H_
#define ASSAY_TOOLS_SUITE_LAUNCH_STOP_REQUESTS_H_

#include <atomic>

namespace assay::suite {

struct StopRequests {
  std::atomic<bool> soon{false};
  std::atomic<bool> now{false};
};

// Of this process, from here on. A pipe that nobody reads any more, and a file that has reached the
// size limit, are errors of who writes there and end it no longer.
const StopRequests& CatchStopRequests();

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_LAUNCH_STOP_REQUESTS_H_
