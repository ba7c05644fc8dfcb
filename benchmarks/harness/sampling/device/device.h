// -----------------------------------------------------------------------------
// File: device.h
// -----------------------------------------------------------------------------
//
// The device that the sampling engine measures on: two clocks of the host, a way to wait for queued
// work, timers in the device's own queue where it has them, a way to empty its cache, and the input
// of the validity checks: the device's clock rate, memory, and the operating system's counters for
// the process. The engine sees nothing else, so a fake with a scripted clock (fake_device.h) tests
// it to the nanosecond.
//
// Not for running models: the engine calls a function and does not know what it does.
//
// Codes of the Status that these functions return, and that Measure passes on:
//   kUnavailable         the device failed during the run; nothing on it can be used any more
//   kInternal            work on the device failed: a kernel reads a wrong address, or asserts. On a
//                        GPU nothing in this process can use the device any more
//   kResourceExhausted   out of device memory
//   kNotFound            there is no such device (only when one is opened)
//   kFailedPrecondition  this kind of device cannot do that
//   kDataLoss            a clock gave a reading that cannot be
//
//   int64_t start = device.NowNs();
//   launch();
//   absl::Status finished = device.Synchronize();
//   int64_t latency_ns = device.NowNs() - start;

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_DEVICE_DEVICE_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_DEVICE_DEVICE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/sampling/device/device_facts.h"

namespace assay::sampling {

// Counters of the operating system for this process, up to now.
struct HostCounters {
  int64_t page_faults = 0;
  // Time that threads of this process were ready to run and another process ran instead; summed
  // over threads. -1 where the system does not say.
  int64_t run_delay_ns = -1;
  // Time that the hypervisor took from this machine, summed over CPUs. -1 where unknown.
  int64_t steal_ns = -1;
};

// Memory in use now.
struct MemoryState {
  int64_t host_live_bytes = 0;     // handed out by the C library and not yet freed
  int64_t host_peak_bytes = 0;     // most resident memory since ResetPeakMemory
  int64_t device_live_bytes = 0;   // handed out by the device's allocator; 0 without one
  int64_t device_peak_bytes = 0;   // highest value of the line above since ResetPeakMemory
  int64_t device_allocations = 0;  // requests that the allocator passed to the driver, ever
};

// The device's core clock over the last MarkClock span.
struct ClockReading {
  int32_t mhz = 0;      // 0: unknown
  int64_t span_ns = 0;  // the span by the device's own real-time counter; 0: there is none
};

// Work that was recorded once and can be queued again as a whole.
class Graph {
 public:
  virtual ~Graph() = default;
  virtual absl::Status Launch() = 0;
};

// The NVTX domain of the ranges of Device::StartRange.
inline constexpr char kRangeDomain[] = "assay";

class Device {
 public:
  virtual ~Device() = default;

  // All fields empty for the CPU.
  virtual const DeviceFacts& Facts() const = 0;

  // Whether tensors of what is measured lie in the host's memory: those of the CPU do, and those of a
  // GPU that is simulated (harness/simulated_gpu).
  virtual bool UsesHostMemory() const { return false; }

  // The host's steady clock; it counts from an arbitrary moment.
  virtual int64_t NowNs() = 0;

  // CPU time of this process, all threads together.
  virtual int64_t ProcessCpuNs() = 0;

  // Instructions of this process in user space, all threads together, up to now; -1: they are not
  // counted, and MissingInstructions() says why. A GPU's work has none.
  virtual int64_t ProcessInstructions() { return -1; }
  virtual std::string MissingInstructions() { return ""; }

  // Lets time pass without doing anything.
  virtual void IdleNs(int64_t ns) = 0;

  // Returns when all work queued on the device, on every stream, is done.
  virtual absl::Status Synchronize() = 0;

  // Number of timers, 0 where the device has none: then a call's work is done when it returns.
  virtual int TimerCount() const = 0;
  // Makes timers until there are `count`. Not to be called between samples.
  virtual absl::Status ReserveTimers(int count);

  // Put the start or the stop of a timer into the queue in which called functions put their work.
  // They do not wait. `timer` is in [0, TimerCount()).
  virtual absl::Status StartTimer(int timer) = 0;
  virtual absl::Status StopTimer(int timer) = 0;
  // Returns when the timer has stopped; work in other streams may still run.
  virtual absl::Status WaitTimer(int timer) = 0;
  // The time between start and stop. Call it after WaitTimer() or Synchronize(). DataLoss where the
  // reading is impossible.
  virtual absl::StatusOr<int64_t> TimerNs(int timer) = 0;

  // Overwrites the last-level cache, or `bytes` where that is more. On a device with a queue the
  // overwriting is queued, not awaited.
  virtual absl::Status FlushCache(int64_t bytes = 0) = 0;
  // Queues a read of a buffer that fits easily into the cache: slow after a flush, fast otherwise.
  virtual absl::Status ReadProbe() = 0;

  // Hold() blocks the queue behind it until Release(), so that the host can queue a call and both
  // marks of a timer before the first of them runs. A hold that is not released within its
  // watchdog's time ends by itself (a call that waits for the device would hang for ever
  // otherwise); Release then returns false.
  virtual bool CanHold() const { return false; }
  virtual absl::Status Hold();
  virtual absl::StatusOr<bool> Release();

  // Marks around a span, for ReadClock after the span is done. A device may do nothing here.
  virtual absl::Status MarkClockStart() { return absl::OkStatus(); }
  virtual absl::Status MarkClockStop() { return absl::OkStatus(); }
  // `now_ns` allows a device to measure its clock only now and then. Must not allocate.
  virtual absl::StatusOr<ClockReading> ReadClock(int64_t now_ns) = 0;

  // Records what `work` queues. An exception of `work` comes back as a Status.
  virtual absl::StatusOr<std::unique_ptr<Graph>> Capture(absl::FunctionRef<void()> work);

  virtual HostCounters Counters() = 0;
  virtual MemoryState Memory() = 0;
  virtual void ResetPeakMemory() = 0;

  // A named span by which NVIDIA's tools filter (an NVTX range of the start/end kind, which holds
  // for all threads). Returns what EndRange takes. A device without such tools does nothing.
  virtual uint64_t StartRange(const std::string& /*name*/) { return 0; }
  virtual void EndRange(uint64_t /*range*/) {}

  // StartMemoryHistory() records every allocation and release from then on. MemorySnapshot()
  // returns a file of them and of all live blocks, for pytorch.org/memory_viz.
  virtual absl::Status StartMemoryHistory();
  virtual absl::StatusOr<std::string> MemorySnapshot();
};

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_DEVICE_DEVICE_H_
