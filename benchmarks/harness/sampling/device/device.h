// -----------------------------------------------------------------------------
// File: device.h
// -----------------------------------------------------------------------------
//
// What the sampling engine needs of the thing it measures on: two clocks of the host, a way to wait
// for queued work, timers in the device's own queue where it has them, and a way to empty its
// cache. The engine sees nothing else, so a fake with a scripted clock (fake_device.h) tests it to
// the nanosecond.
//
// Not for running models: the engine calls a function, and what that does is not its business.
//
// Codes of the Status that these functions return, and that Measure passes on:
//   kUnavailable        the device failed during the run; nothing on it can be used any more
//   kResourceExhausted  out of device memory
//   kNotFound           there is no such device (only when one is opened)
//
//   int64_t start = device.NowNs();
//   launch();
//   absl::Status finished = device.Synchronize();
//   int64_t latency_ns = device.NowNs() - start;

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_DEVICE_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_DEVICE_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/sampling/device_facts.h"

namespace assay::sampling {

class Device {
 public:
  virtual ~Device() = default;

  // All fields empty for the CPU.
  virtual const DeviceFacts& Facts() const = 0;

  // The host's steady clock, since an arbitrary moment.
  virtual int64_t NowNs() = 0;

  // CPU time of this process, all threads together.
  virtual int64_t ProcessCpuNs() = 0;

  // Returns when all work queued on the device, on every stream, is done.
  virtual absl::Status Synchronize() = 0;

  // Number of timers, 0 where the device has none. Timers are made once, when the device is opened.
  virtual int TimerCount() const = 0;

  // Put the start or the stop of a timer into the queue in which called functions put their work.
  // Neither waits. `timer` is in [0, TimerCount()).
  virtual absl::Status StartTimer(int timer) = 0;
  virtual absl::Status StopTimer(int timer) = 0;

  // The time between start and stop. Call it after Synchronize().
  virtual absl::StatusOr<int64_t> TimerNs(int timer) = 0;

  // Overwrites the last-level cache. On a device with a queue the overwriting is queued, not
  // awaited.
  virtual absl::Status FlushCache() = 0;
};

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_DEVICE_H_
