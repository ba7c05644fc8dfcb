// -----------------------------------------------------------------------------
// File: cuda_device.h
// -----------------------------------------------------------------------------
//
// A CUDA GPU as a sampling device, over NVIDIA's runtime library and nothing else: timers are pairs
// of events, made once, and the cache is flushed by overwriting twice its queried size.
//
// Not for programs: include cuda_plugin.h, which loads this with all that it needs. It includes
// CUDA's headers, so only the plugin and its tests may include it.
//
//   absl::StatusOr<std::unique_ptr<CudaDevice>> device = CudaDevice::Open(0, [] { return stream;
//   });

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_DEVICE_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_DEVICE_H_

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/sampling/cpu_device.h"
#include "benchmarks/harness/sampling/device.h"

namespace assay::sampling {

class CudaDevice : public Device {
 public:
  // The stream in which called functions put their work at this moment.
  using StreamSource = std::function<cudaStream_t()>;

  static constexpr int kTimers = 64;

  // Makes device `index` the current one of this thread, and its timers. NotFound without such a
  // device, with CUDA's own reason.
  static absl::StatusOr<std::unique_ptr<CudaDevice>> Open(int index, StreamSource stream);

  ~CudaDevice() override;
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;

  // For what only others know: cudnn_version.
  DeviceFacts& mutable_facts() { return facts_; }

  const DeviceFacts& Facts() const override { return facts_; }
  int64_t NowNs() override { return host_.NowNs(); }
  int64_t ProcessCpuNs() override { return host_.ProcessCpuNs(); }
  absl::Status Synchronize() override;
  int TimerCount() const override { return static_cast<int>(timers_.size()); }
  absl::Status StartTimer(int timer) override;
  absl::Status StopTimer(int timer) override;
  // Events count in steps of about half a microsecond.
  absl::StatusOr<int64_t> TimerNs(int timer) override;
  // The buffer is taken by the first call and leaves dirty lines, whose writing back the next
  // kernel pays for.
  absl::Status FlushCache() override;

 private:
  struct Timer {
    cudaEvent_t start = nullptr;
    cudaEvent_t stop = nullptr;
  };

  explicit CudaDevice(StreamSource stream) : stream_(std::move(stream)) {}
  absl::Status ReadFacts(int index);
  absl::Status MakeTimers();

  StreamSource stream_;
  CpuDevice host_;  // its clocks
  DeviceFacts facts_;
  std::vector<Timer> timers_;
  void* flush_buffer_ = nullptr;
  size_t flush_bytes_ = 0;
};

// The kernel module's version in the text of /proc/driver/nvidia/version; empty if there is none.
// The runtime library knows only the newest CUDA that the driver supports.
std::string DriverVersion(std::string_view proc_text);

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_DEVICE_H_
