// -----------------------------------------------------------------------------
// File: cpu_device.h
// -----------------------------------------------------------------------------
//
// The CPU as a sampling device: work is done when the call returns, and there are no timers but the
// host's clock.
//
// Not for work that threads do after the call has returned: the device would not wait for it (the
// check `quiet_after` finds it).
//
//   CpuDevice device;
//   absl::StatusOr<SampleSet> set = Measure(device, Mode::kWall, call, {});

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_DEVICE_CPU_DEVICE_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_DEVICE_CPU_DEVICE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "benchmarks/harness/sampling/device/device.h"
#include "benchmarks/harness/sampling/device/instruction_counter.h"

namespace assay::sampling {

class CpuDevice : public Device {
 public:
  const DeviceFacts& Facts() const override { return facts_; }
  bool UsesHostMemory() const override { return true; }
  int64_t NowNs() override;
  int64_t ProcessCpuNs() override;
  int64_t ProcessInstructions() override { return instructions_.Read(); }
  std::string MissingInstructions() override { return instructions_.Missing(); }
  void IdleNs(int64_t ns) override;
  absl::Status Synchronize() override { return absl::OkStatus(); }
  int TimerCount() const override { return 0; }
  absl::Status StartTimer(int timer) override;
  absl::Status StopTimer(int timer) override;
  absl::Status WaitTimer(int timer) override;
  absl::StatusOr<int64_t> TimerNs(int timer) override;

  // Writes to every line of a buffer of twice the last-level cache, at least 64 MiB, then walks a
  // part of it on every CPU that this process may use, so that their private caches are emptied as
  // well: a model's threads run there.
  absl::Status FlushCache(int64_t bytes = 0) override;
  // Reads half a MiB.
  absl::Status ReadProbe() override;

  // Measures at most once in 10 ms; in between it returns the last reading.
  absl::StatusOr<ClockReading> ReadClock(int64_t now_ns) override;

  HostCounters Counters() override;
  MemoryState Memory() override;
  void ResetPeakMemory() override;

 private:
  DeviceFacts facts_;
  InstructionCounter instructions_;
  std::vector<char> flush_buffer_;  // allocated by the first FlushCache
  std::vector<char> probe_buffer_;
  int64_t next_clock_ns_ = 0;
  ClockReading clock_;
};

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_DEVICE_CPU_DEVICE_H_
