// -----------------------------------------------------------------------------
// File: cuda_device.h
// -----------------------------------------------------------------------------
//
// A CUDA GPU as a sampling device, made of NVIDIA's runtime library, the kernels of kernels.h, and
// a CudaFramework for what only the side that queues work knows. Timers are pairs of events, made
// once; the cache is flushed by overwriting twice its queried size; the queue is held by a kernel.
//
// Not for programs: include cuda_plugin.h, which loads this with all that it needs. It includes
// CUDA's headers, so only the plugin and its tests may include it.
//
//   absl::StatusOr<std::unique_ptr<CudaDevice>> device =
//       CudaDevice::Open(0, std::make_unique<BareFramework>(stream));

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_CUDA_DEVICE_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_CUDA_DEVICE_H_

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/sampling/cuda/clock_stamps.h"
#include "benchmarks/harness/sampling/cuda/cuda_framework.h"
#include "benchmarks/harness/sampling/cuda/nvtx_range.h"
#include "benchmarks/harness/sampling/cuda/queue_hold.h"
#include "benchmarks/harness/sampling/device/cpu_device.h"
#include "benchmarks/harness/sampling/device/device.h"

namespace assay::sampling {

class CudaDevice : public Device {
 public:
  static constexpr int kTimers = 64;  // at first

  // Makes device `index` the current one of this thread, with all that sampling needs on it.
  // NotFound, with CUDA's own reason, where there is no such device. Lines of the cache that were
  // made persistent become normal again, since a flush would not evict them.
  static absl::StatusOr<std::unique_ptr<CudaDevice>> Open(int index,
                                                          std::unique_ptr<CudaFramework> framework);

  ~CudaDevice() override;
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;

  // For the plugin, which knows cudnn_version.
  DeviceFacts& mutable_facts() { return facts_; }

  const DeviceFacts& Facts() const override { return facts_; }
  int64_t NowNs() override { return host_.NowNs(); }
  int64_t ProcessCpuNs() override { return host_.ProcessCpuNs(); }
  void IdleNs(int64_t ns) override { host_.IdleNs(ns); }
  absl::Status Synchronize() override;

  int TimerCount() const override { return static_cast<int>(timers_.size()); }
  absl::Status ReserveTimers(int count) override;
  absl::Status StartTimer(int timer) override;
  absl::Status StopTimer(int timer) override;
  absl::Status WaitTimer(int timer) override;
  // Events count in steps of about half a microsecond.
  absl::StatusOr<int64_t> TimerNs(int timer) override;

  // Flushes twice the cache, at least 64 MiB. The first call allocates the buffer, and a call that
  // wants more allocates it anew. It leaves dirty lines; the next kernel pays for writing them
  // back.
  absl::Status FlushCache(int64_t bytes = 0) override;
  // Reads a quarter of the cache, at most 16 MiB; the first call allocates the buffer.
  absl::Status ReadProbe() override;

  // False if a hold was tried when the device was opened and only the watchdog ended it, as happens
  // with CUDA_LAUNCH_BLOCKING=1 and under tools that run one kernel at a time.
  bool CanHold() const override { return can_hold_; }
  absl::Status Hold() override;
  absl::StatusOr<bool> Release() override;

  absl::Status MarkClockStart() override { return stamps_->MarkStart(framework_->Stream()); }
  absl::Status MarkClockStop() override { return stamps_->MarkStop(framework_->Stream()); }
  // All fields 0 where no span was marked since the last reading.
  absl::StatusOr<ClockReading> ReadClock(int64_t now_ns) override;

  // A graph must not outlive the device.
  absl::StatusOr<std::unique_ptr<Graph>> Capture(absl::FunctionRef<void()> work) override;

  HostCounters Counters() override { return host_.Counters(); }
  MemoryState Memory() override;
  void ResetPeakMemory() override;

  uint64_t StartRange(const std::string& name) override { return StartNvtxRange(name); }
  void EndRange(uint64_t range) override { EndNvtxRange(range); }
  absl::Status StartMemoryHistory() override { return framework_->StartMemoryHistory(); }
  absl::StatusOr<std::string> MemorySnapshot() override { return framework_->MemorySnapshot(); }

 private:
  struct Timer {
    cudaEvent_t start = nullptr;
    cudaEvent_t stop = nullptr;
  };

  // A buffer in the device's memory.
  struct Buffer {
    void* data = nullptr;
    size_t bytes = 0;
  };

  explicit CudaDevice(std::unique_ptr<CudaFramework> framework)
      : framework_(std::move(framework)) {}
  absl::Status ReadFacts(int index);
  absl::Status MakeParts();
  absl::Status TryHold();
  absl::Status Take(Buffer& buffer, size_t bytes, std::string_view what);

  const std::unique_ptr<CudaFramework> framework_;
  CpuDevice host_;  // its clocks and counters
  DeviceFacts facts_;
  std::vector<Timer> timers_;
  std::unique_ptr<ClockStamps> stamps_;
  std::unique_ptr<QueueHold> hold_;
  bool can_hold_ = false;
  Buffer flush_, probe_, probe_result_;
};

// The kernel module's version in the text of /proc/driver/nvidia/version; empty if there is none.
// The runtime library knows only the newest CUDA that the driver supports.
std::string DriverVersion(std::string_view proc_text);

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_CUDA_DEVICE_H_
