// -----------------------------------------------------------------------------
// File: shot.h
// -----------------------------------------------------------------------------
//
// Takes one sample by a mode's protocol, which says what is queued in which order and which clocks
// are read when.
//
// In mode cold on a device that can hold its queue the order is: flush, hold, mark, start timer,
// call, stop timer, mark, release. So the launch does not fall between the timer's marks, however
// long the host takes for it. If a call waits for the device, the watchdog ends the hold; the shot
// says so, and the engine continues without holding. A graph's replay is held in the same way.
//
// Not for deciding how many samples are taken: measure.h.
//
//   Shooter shooter(device, protocol, work);
//   Shot shot;
//   absl::Status status = shooter.Take(/*calls=*/1, shot);

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_SHOT_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_SHOT_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "benchmarks/harness/sampling/device/device.h"
#include "benchmarks/harness/sampling/modes.h"
#include "benchmarks/harness/sampling/timed_work.h"

namespace assay::sampling {

// Times of all calls of the sample together; -1 where the protocol does not read that clock.
struct Shot {
  int64_t duration_ns = 0;   // the time that the mode reports
  int64_t start_ns = 0;      // host's clock before the first call
  int64_t end_ns = 0;        // host's clock when the sample was complete
  int64_t enqueue_ns = -1;   // host time until the calls had returned
  int64_t residual_ns = -1;  // host time that the device was busy after the timer had stopped
  ClockReading clock = {};
  int64_t cpu_ns = -1;        // CPU time of the process; read only where untimed work lies between
  int64_t instructions = -1;  // of the process in user space; likewise
  bool held = true;           // false: the watchdog ended the hold
};

class Shooter {
 public:
  Shooter(Device& device, const Protocol& protocol, TimedWork& work)
      : device_(device), protocol_(protocol), work_(work) {}

  // Records `calls` calls as the graph that Take replays, each on the next of the work's input
  // sets, and replays it once. The first replay puts the graph on the device, may allocate memory
  // and load code, and so may wait for the device, which nothing behind a hold can do.
  // cudaGraphUpload would do the first of the three only. Errors of Device::Capture and
  // Graph::Launch.
  absl::Status Record(int64_t calls);

  // Allocates nothing and, on the CPU, adds only two readings of the clock to the calls. DataLoss,
  // naming the clock, for a duration below zero.
  absl::Status Take(int64_t calls, Shot& shot);

  // From now on each call uses the next of the work's input sets, beginning with set 0. A graph
  // does so anyway.
  void RotateInputs() { rotating_ = true; }

  // From now on cold samples are taken without a hold.
  void StopHolding() { protocol_.hold = false; }
  const Protocol& protocol() const { return protocol_; }

 private:
  absl::Status TakeOnHost(int64_t calls, Shot& shot);
  absl::Status TakeOnTimer(int64_t calls, Shot& shot);
  absl::Status QueueTimed(int64_t calls, Shot& shot);
  absl::Status Run(int64_t calls);
  void UseNextInputs();

  Device& device_;
  Protocol protocol_;
  TimedWork& work_;
  std::unique_ptr<Graph> graph_;
  bool rotating_ = false;
  int next_set_ = 0;
};

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_SHOT_H_
