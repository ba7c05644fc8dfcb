// -----------------------------------------------------------------------------
// File: cpu_device.h
// -----------------------------------------------------------------------------
//
// The CPU as a sampling device: work is done when the call returns, and there are no timers but the
// host's clock.
//
// Not for work that is left to threads after the call has returned: it would not be waited for.
//
//   CpuDevice device;
//   absl::StatusOr<SampleSet> set = Measure(device, Mode::kWall, call, {});

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_CPU_DEVICE_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_CPU_DEVICE_H_

#include <cstdint>
#include <vector>

#include "benchmarks/harness/sampling/device.h"

namespace assay::sampling {

class CpuDevice : public Device {
 public:
  const DeviceFacts& Facts() const override { return facts_; }
  int64_t NowNs() override;
  int64_t ProcessCpuNs() override;
  absl::Status Synchronize() override { return absl::OkStatus(); }
  int TimerCount() const override { return 0; }
  absl::Status StartTimer(int timer) override;
  absl::Status StopTimer(int timer) override;
  absl::StatusOr<int64_t> TimerNs(int timer) override;

  // Writes to every line of a buffer of twice the last-level cache, at least 64 MiB. Evicts what
  // the calling core shares the cache with; private caches of other cores keep their lines.
  absl::Status FlushCache() override;

 private:
  DeviceFacts facts_;
  std::vector<char> flush_buffer_;  // allocated by the first FlushCache
};

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_CPU_DEVICE_H_
